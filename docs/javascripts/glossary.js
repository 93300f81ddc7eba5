// A term shows its definition to a pointer that hovers and to the keyboard's focus. A finger can do neither, so
// its first tap shows the definition, and the second follows the link, as it does without JavaScript.
document.addEventListener("click", (event) => {
  const term = event.target.closest?.("a.term");
  if (!term || event.pointerType !== "touch" || term.hasAttribute("data-tapped")) return;
  event.preventDefault();
  term.setAttribute("data-tapped", "");
  term.addEventListener("blur", () => term.removeAttribute("data-tapped"), { once: true });
  term.focus();
}, true);
