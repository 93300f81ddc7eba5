// What tables need a script for: those that scroll sideways, and outputs that do, get a place in the
// order of the Tab key, and the ledger gets filters. Without JavaScript the ledger stands whole.
(() => {
  const reach = (entries) => entries.forEach(({ target }) => {
    const scrolls = target.scrollWidth > target.clientWidth;
    const name = target.matches(".arithmatex") ? "Formula" : { SAMP: "Output", CODE: "Listing", DIV: "Table" }[target.tagName];
    const reached = { tabindex: 0, role: "group", "aria-label": `${name}, scrolls sideways` };
    for (const [attribute, value] of Object.entries(reached)) {
      if (scrolls) target.setAttribute(attribute, value);
      else target.removeAttribute(attribute);
    }
  });
  const sizes = new ResizeObserver(reach);
  document.querySelectorAll(".evidence samp, .listing code, div.arithmatex").forEach((text) => sizes.observe(text));
  const known = new WeakSet();
  // The theme wraps tables in its own time.
  new MutationObserver(() => document.querySelectorAll(".md-typeset__scrollwrap").forEach((wrap) => {
    if (known.has(wrap)) return;
    known.add(wrap);
    sizes.observe(wrap);
  })).observe(document.querySelector(".md-content") ?? document.body, { childList: true, subtree: true });
})();
document$.subscribe(() => {
  const table = document.querySelector("table.ledger");
  if (!table || table.previousElementSibling?.classList.contains("ledger__filter")) return;
  const rows = [...table.tBodies[0].rows];
  const form = document.createElement("form");
  form.className = "ledger__filter";
  form.addEventListener("submit", (event) => event.preventDefault());

  const text = document.createElement("input");
  text.type = "search";
  form.append(labelled("Snippet", text));
  const selects = ["Shown on", "Runner", "Agreement", "State"].map((name) => {
    const column = [...table.tHead.rows[0].cells].findIndex((cell) => cell.textContent === name);
    const select = document.createElement("select");
    const values = new Set(rows.flatMap((row) => row.cells[column].textContent.split(", ")));
    select.append(new Option("all", ""), ...[...values].sort().map((value) => new Option(value, value)));
    form.append(labelled(name, select));
    return { column, select };
  });
  const count = document.createElement("output");
  form.append(count);

  const apply = () => {
    let shown = 0;
    for (const row of rows) {
      row.hidden =
        !row.cells[0].textContent.includes(text.value.trim()) ||
        selects.some(({ column, select }) => select.value && !row.cells[column].textContent.split(", ").includes(select.value));
      shown += !row.hidden;
    }
    count.textContent = `${shown} of ${rows.length} captures`;
  };
  form.addEventListener("input", apply);
  apply();
  table.before(form);

  function labelled(name, control) {
    const label = document.createElement("label");
    label.append(`${name} `, control);
    return label;
  }
});
