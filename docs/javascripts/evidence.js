// Makes tabs of the panels of an evidence block. The choice of a runner goes for every block that has
// it, folded ones too, and is kept for other pages. Without JavaScript the panels stand one below another.
(() => {
  const KEY = "book.runner";
  const kept = {
    // From a folder, or where nothing may be stored, the choice lasts as long as the page.
    get: () => { try { return localStorage.getItem(KEY); } catch { return null; } },
    set: (runner) => { try { localStorage.setItem(KEY, runner); } catch { /* as above */ } },
  };

  const blocks = [...document.querySelectorAll(".evidence--several")].map((block) => {
    const panels = [...block.querySelectorAll(":scope > .evidence__panel")];
    const order = block.dataset.runners.split(" ");
    const list = document.createElement("div");
    list.className = "evidence__tabs";
    list.setAttribute("role", "tablist");
    list.setAttribute("aria-label", "Runner");
    const tabs = panels.flatMap((panel, at) => {
      panel.id = `${block.id}-panel-${at + 1}`;
      panel.setAttribute("role", "tabpanel");
      return [...panel.querySelectorAll(":scope > .evidence__head > .evidence__runner")].map((name) => {
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = name.textContent;
        button.id = `${block.id}-tab-${name.dataset.runner}`;
        button.setAttribute("role", "tab");
        button.setAttribute("aria-controls", panel.id);
        return { runner: name.dataset.runner, panel, button };
      });
    }).sort((one, other) => order.indexOf(one.runner) - order.indexOf(other.runner));

    const show = (runner) => {
      const chosen = tabs.find((tab) => tab.runner === runner);
      if (!chosen) return;
      for (const { button } of tabs) {
        button.setAttribute("aria-selected", button === chosen.button);
        button.tabIndex = button === chosen.button ? 0 : -1;
      }
      for (const panel of panels) {
        // Find-in-page and links may still open it.
        panel.hidden = panel === chosen.panel ? false : "until-found";
      }
      chosen.panel.setAttribute("aria-labelledby", chosen.button.id);
      for (const foot of chosen.panel.querySelectorAll(":scope > .evidence__foot")) foot.hidden = foot.dataset.runner !== runner;
    };
    const choose = (tab) => {
      const before = tab.button.getBoundingClientRect().top;
      blocks.forEach((other) => other.show(tab.runner));
      kept.set(tab.runner);
      // Other blocks may have grown above; what was chosen stays where it is.
      scrollBy({ top: tab.button.getBoundingClientRect().top - before, behavior: "instant" });
    };
    tabs.forEach((tab, at) => {
      tab.button.addEventListener("click", () => choose(tab));
      tab.button.addEventListener("keydown", ({ key }) => {
        const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: tabs.length - 1 }[key];
        if (next === undefined) return;
        const other = tabs.at(next % tabs.length);
        choose(other);
        other.button.focus({ preventScroll: true });
      });
      tab.panel.addEventListener("beforematch", () => show(tab.runner));
    });
    list.append(...tabs.map(({ button }) => button));
    block.querySelector(":scope > .evidence__bar").prepend(list);
    block.dataset.live = "";
    show(tabs[0].runner);
    return { tabs, show };
  });
  const before = kept.get();
  if (before) blocks.forEach(({ show }) => show(before));

  // An output is copied as it stands, the commands of a fold as lines.
  const copies = (place, text) => {
    if (!navigator.clipboard) return;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "evidence__copy";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(text());
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = "Copy"; }, 2000);
    });
    place.append(button);
  };
  document.querySelectorAll(".evidence__output").forEach((output) => copies(output, () => output.querySelector("samp").textContent));
  document.querySelectorAll(".listing").forEach((listing) => copies(listing, () => listing.querySelector("code").textContent));
  document.addEventListener("toggle", ({ target: fold }) => {
    if (!fold.open || !fold.matches(".evidence__again:not(:has(button))")) return;
    copies(fold, () => [...fold.querySelectorAll("code")].map((line) => line.textContent).join("\n"));
  }, true);

  // A link to a line that another panel, or a fold, hides.
  const reveal = () => {
    const line = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const panel = line?.closest(".evidence__panel[hidden]");
    if (panel) blocks.forEach(({ tabs, show }) => tabs.filter((tab) => tab.panel === panel).slice(0, 1).forEach((tab) => show(tab.runner)));
    for (let fold = line?.closest("details:not([open])"); fold; fold = fold.parentElement.closest("details:not([open])")) {
      fold.open = true;
    }
    if (!line) return;
    // What lies between is laid out only when it comes near (book.css), and would push the line away again.
    document.documentElement.classList.add("whole");
    line.scrollIntoView({ block: line.closest(".evidence") ? "center" : "start" });
  };
  addEventListener("hashchange", reveal);
  if (location.hash) reveal();
})();
