// A message that is pasted into the search box is full of what the search takes for operators (quotes, colons,
// a leading minus), and of names and numbers of one program. What stays is words: of several lines the names of
// exceptions and the last line, which says what went wrong.
(() => {
  const words = (text) => {
    const lines = text.split(/[\r\n]+/).filter((line) => /\p{L}/u.test(line));
    const raised = text.match(/\b\w+(?:Error|Failure|Exception|Warning)\b/g) ?? [];
    const told = lines.length > 1 ? [...new Set(raised), lines.at(-1)].join(" ") : text;
    const plain = told.replace(/[^\p{L}\p{N}_.]+/gu, " ").trim().split(" ");
    const telling = plain.filter((word) => word.length > 2 && !/^[\d.]+$/.test(word));
    return (telling.length > 2 ? telling : plain).join(" ");
  };
  document.addEventListener("paste", (event) => {
    const box = event.target;
    const text = event.clipboardData?.getData("text/plain");
    if (!text || !box.matches?.(".md-search__input")) return;
    event.preventDefault();
    box.setRangeText(words(text), box.selectionStart, box.selectionEnd, "end");
    // Material reads the box when a key comes up, and none does where a menu pastes.
    box.dispatchEvent(new KeyboardEvent("keyup", { bubbles: true }));
  });
})();
