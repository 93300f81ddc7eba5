// The index of the search is larger than a chapter, and most who read one never search: it is fetched when
// somebody does. Stands before the theme's script, which would ask for it at once (scripts/hooks.py).
(() => {
  // A page that was found by searching marks the words, and needs the index for that.
  if (location.protocol === "file:" || new URLSearchParams(location.search).has("h")) return;
  const searching = new Promise((found) => {
    document.addEventListener("focusin", (event) => event.target.matches(".md-search__input") && found());
  });
  const { open, send } = XMLHttpRequest.prototype;
  const late = new WeakSet();
  XMLHttpRequest.prototype.open = function (method, address, ...rest) {
    if (String(address).endsWith("/search/search_index.json")) late.add(this);
    return open.call(this, method, address, ...rest);
  };
  XMLHttpRequest.prototype.send = function (...body) {
    if (late.has(this)) searching.then(() => send.apply(this, body));
    else send.apply(this, body);
  };
})();
