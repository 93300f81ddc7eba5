// What the frame around a page needs a script for: its menu and its search by keyboard on a narrow
// screen, and a word on what is missing where the site is opened from a folder.
(() => {
  // The theme has labels of hidden check boxes there, which the Tab key passes over. Its style sheet
  // knows them by what they are for.
  const asButton = (label, name) => {
    const button = document.createElement("button");
    if (!label) return button;
    button.type = "button";
    button.className = `${label.className} book-button`;
    button.id = label.id || `book-${label.htmlFor}`;
    button.setAttribute("for", label.htmlFor);
    button.append(...label.childNodes);
    if (name) button.setAttribute("aria-label", name);
    button.addEventListener("click", () => document.getElementById(label.htmlFor).click());
    label.replaceWith(button);
    return button;
  };
  const opener = asButton(document.querySelector(".md-header__button[for=__drawer]"), "Menu");
  const finder = asButton(document.querySelector(".md-header__button[for=__search]"), "Search");
  const levels = [...document.querySelectorAll(".md-nav--primary .md-nav__item > label.md-nav__link")].map((label) => asButton(label));
  document.querySelectorAll(".md-nav--primary .md-nav label.md-nav__title").forEach((label, at) => {
    levels.push(asButton(label, `Back from ${label.textContent.trim()}`));
    levels.at(-1).id += `-back-${at}`;
  });
  const drawer = document.getElementById("__drawer");
  const menu = document.querySelector(".md-sidebar--primary");
  const narrow = matchMedia("(max-width: 76.234375em)");
  const behind = document.querySelectorAll(".md-header, .md-content, .md-sidebar--secondary, .md-top, .md-footer");
  const update = () => {
    opener.setAttribute("aria-expanded", drawer.checked);
    // Where there is room all levels stand open, and have nothing to press.
    levels.forEach((level) => { level.disabled = !narrow.matches; });
    // What lies under the open menu takes no focus.
    behind.forEach((part) => { part.inert = drawer.checked && narrow.matches; });
  };
  narrow.addEventListener("change", update);
  drawer.addEventListener("change", () => {
    update();
    if (!drawer.checked) return;
    // The first of what is in sight: a chapter's menu opens one level down.
    const places = menu.querySelectorAll("a[href], button");
    requestAnimationFrame(() => [...places].find((place) => place.checkVisibility({ visibilityProperty: true }))?.focus());
  });
  addEventListener("keydown", ({ key }) => {
    if (key !== "Escape" || !drawer.checked) return;
    drawer.click();
    opener.focus();
  });
  update();

  const search = document.querySelector(".md-search");
  search?.setAttribute("aria-label", "Search");
  if (location.protocol === "file:") {
    const note = document.createElement("p");
    note.className = "md-header__note";
    note.textContent = "Search needs a server";
    search?.before(note);
    finder.remove();
  }
})();
