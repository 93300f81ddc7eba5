// Steps through a memory replay. Without JavaScript its first and last picture stand there, and a
// table of all steps; what a cell looks like at a step, and the sentence for it, is read from those.
(() => {
  const still = matchMedia("(prefers-reduced-motion: reduce)");

  const start = () => document.querySelectorAll(".replay:not([data-live])").forEach((replay) => {
    const frame = replay.querySelector(".replay__frame--last");
    if (!frame) return;
    const last = Number(replay.dataset.last);
    const rows = [...replay.querySelectorAll(".replay__steps tbody tr")];
    const lines = [...replay.querySelectorAll(".replay__line[data-line]")];
    const cells = [...frame.querySelectorAll(".replay__cell[data-at]")].map((node) => ({
      node,
      label: node.querySelector("text"),
      steps: node.dataset.steps.split(" ").map(Number),
      lines: node.dataset.lines.split(" "),
      changes: node.dataset.at.split(";").map((change) => change.split("|")),
      plain: node.classList.contains("stray") ? "replay__cell stray" : "replay__cell",
    }));
    replay.dataset.live = "";
    let now = 1;
    let timer = null;

    const button = (name, sign, act) => {
      const made = document.createElement("button");
      made.type = "button";
      made.title = name;
      made.setAttribute("aria-label", name);
      made.textContent = sign;
      made.addEventListener("click", act);
      return made;
    };
    const slider = document.createElement("input");
    slider.type = "range";
    slider.min = 1;
    slider.max = last;
    slider.setAttribute("aria-label", "Step");
    const count = document.createElement("span");
    count.className = "replay__count";
    const first = button("First step", "⏮\uFE0E", () => go(1));
    const back = button("Step back", "◀\uFE0E", () => go(now - 1));
    const play = button("Play", "▶\uFE0E", () => (timer ? stop() : run()));
    play.className = "replay__play";
    const next = button("Next step", "▶\uFE0E", () => go(now + 1));
    const end = button("Last step", "⏭\uFE0E", () => go(last));
    play.textContent = "Play";
    const controls = document.createElement("div");
    controls.className = "replay__controls";
    controls.append(first, back, slider, next, end, play, count);
    const said = document.createElement("p");
    said.className = "replay__said";
    said.setAttribute("aria-live", "polite");
    const sums = document.createElement("p");
    sums.className = "replay__sums";
    replay.querySelector(".replay__stage").append(controls, said, sums);

    const show = (step) => {
      now = step;
      for (const cell of cells) {
        let [kinds, program] = ["", ""];
        for (const [since, ...look] of cell.changes) if (Number(since) <= step) [kinds, program] = look;
        const active = cell.steps.includes(step) ? " now" : "";
        const lit = cell.node.classList.contains("lit") ? " lit" : "";
        cell.node.setAttribute("class", `${cell.plain}${kinds && ` ${kinds}`}${active}${lit}`);
        cell.label.textContent = program;
      }
      const row = rows[step - 1];
      rows.forEach((other) => other.removeAttribute("aria-current"));
      row.setAttribute("aria-current", "step");
      lines.forEach((line) => line.classList.toggle("now", line.dataset.line === row.dataset.line));
      slider.value = step;
      slider.setAttribute("aria-valuetext", `step ${step} of ${last}`);
      count.textContent = `${step} of ${last}`;
      said.textContent = row.dataset.said;
      sums.textContent = `Elements so far: ${row.dataset.sums}.`;
      // aria-disabled keeps the focus where it is.
      for (const control of [first, back]) control.setAttribute("aria-disabled", step === 1);
      for (const control of [next, end]) control.setAttribute("aria-disabled", step === last);
    };
    const go = (step) => {
      stop();
      show(Math.min(Math.max(step, 1), last));
    };
    const stop = () => {
      clearInterval(timer);
      timer = null;
      play.textContent = "Play";
      play.setAttribute("aria-label", "Play");
      play.title = "Play";
      said.setAttribute("aria-live", "polite");
    };
    const run = () => {
      // A sentence a second is more than anyone wants read out.
      said.setAttribute("aria-live", "off");
      play.textContent = "Pause";
      play.setAttribute("aria-label", "Pause");
      play.title = "Pause";
      show(now === last ? 1 : now + 1);
      timer = setInterval(() => (now === last || !replay.isConnected ? stop() : show(now + 1)), 1000);
    };
    const calm = () => {
      play.hidden = still.matches || last < 2;
      if (still.matches) stop();
    };
    still.addEventListener("change", calm);
    calm();

    slider.addEventListener("input", () => go(Number(slider.value)));
    replay.addEventListener("keydown", (event) => {
      if (event.target === slider || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
      // A table that scrolls keeps its own keys.
      if (event.target.closest(".replay__steps")) return;
      const steps = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 1, End: last };
      if (event.key in steps) {
        event.preventDefault();
        go(steps[event.key]);
      }
    });

    // Lines light their cells, and cells their lines.
    const light = (wanted) => {
      const any = wanted.length > 0;
      cells.forEach(({ node, lines: own }) => node.classList.toggle("lit", any && own.some((line) => wanted.includes(line))));
    };
    for (const line of lines) {
      const name = line.dataset.line;
      line.tabIndex = 0;
      line.setAttribute("role", "button");
      line.title = "Go to the next step of this line";
      line.addEventListener("pointerenter", () => light([name]));
      line.addEventListener("pointerleave", () => light([]));
      line.addEventListener("focus", () => light([name]));
      line.addEventListener("blur", () => light([]));
      const jump = () => {
        const steps = rows.flatMap((row, i) => (row.dataset.line === name ? [i + 1] : []));
        go(steps.find((step) => step > now) ?? steps[0]);
      };
      line.addEventListener("click", jump);
      line.addEventListener("keydown", (event) => {
        if (event.key === "Enter" || event.key === " ") {
          event.preventDefault();
          jump();
        }
      });
    }
    for (const cell of cells) {
      const mark = (on) => {
        cell.node.classList.toggle("lit", on);
        lines.forEach((line) => line.classList.toggle("lit", on && cell.lines.includes(line.dataset.line)));
      };
      cell.node.addEventListener("pointerenter", () => mark(true));
      cell.node.addEventListener("pointerleave", () => mark(false));
      cell.node.addEventListener("click", () => go(cell.steps.find((step) => step > now) ?? cell.steps[0]));
    }
    // On paper stand the first step and the last.
    let left = 1;
    addEventListener("beforeprint", () => {
      left = now;
      go(last);
    });
    addEventListener("afterprint", () => show(left));
    // A click into the picture takes the focus, so that the arrow keys work from there.
    frame.tabIndex = -1;
    show(1);
  });

  if (typeof document$ === "undefined") start();
  else document$.subscribe(start);
})();
