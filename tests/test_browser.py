"""The site as a browser shows it: Chromium opens every page, from a server's sub-path and from a folder.

Skipped where there is no Chromium; ``.ci/run`` installs one.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from served import CHROMIUM, ROOT, Handler, served

if CHROMIUM is None:
    pytest.skip("no chromium, chromium-browser or google-chrome on the PATH", allow_module_level=True)

axe_package = pytest.importorskip("axe_playwright_python")
sync_api = pytest.importorskip("playwright.sync_api")
expect = sync_api.expect
expect.set_options(timeout=15_000)

AXE = Path(axe_package.__file__).with_name("axe.min.js")
CHAPTER, REPLAYS = "02-kernel-parameterization.html", "12-elementwise.html"
PAGES = sorted(
    ["404.html"]
    + [f"{page.stem}.html" for page in (ROOT / "docs").glob("*.md")]
    + [f"notebooks/{chapter.parent.name}.html" for chapter in (ROOT / "snippets").glob("*/chapter.py")]
)
PHONE, TABLET, LAPTOP = ({"width": w, "height": h} for w, h in ((390, 844), (834, 1112), (1440, 900)))
SCHEMES = {"light": "default", "dark": "slate"}
MOST = 300_000
"""Bytes that a cold visit of a chapter may transfer."""

@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[tuple[Path, str]]:
    """The folder of the built site, and its address."""
    site = tmp_path_factory.mktemp("browser") / "a reader's «site»"
    with served(site) as address:
        yield site, address


@pytest.fixture(scope="module")
def site(server) -> Path:
    return server[0]


@pytest.fixture(scope="module")
def address(server) -> str:
    return server[1]


@pytest.fixture(scope="module")
def browser():
    with sync_api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM)
        yield started
        started.close()


@pytest.fixture(scope="module")
def contexts(browser, address):
    """Gives the browser's context for some settings, and the list of what goes wrong in any page of it."""
    known, wrong = {}, []

    def context(**settings):
        key = repr(sorted(settings.items()))
        if key not in known:
            made = known[key] = browser.new_context(**({"viewport": LAPTOP} | settings))
            made.set_default_timeout(15_000)
            # An error of the page, a message of the console, a request to anyone else, whoever makes it.
            made.on("weberror", lambda error: wrong.append(f"{error.page.url}: {error.error}"))
            made.on("console", lambda said: wrong.append(f"{said.page.url}: {said.text}") if said.type in ("error", "warning") else None)
            made.on("request", lambda asked: None if ours(asked.url, address) else wrong.append(f"a page asks for {asked.url}"))
        return known[key]

    yield context, wrong
    assert [cookie for context in known.values() for cookie in context.cookies()] == []
    for made in known.values():
        made.close()


@pytest.fixture
def reader(contexts, address):
    """Opens a page of the site as a new reader; what goes wrong on any of them fails the test."""
    context, wrong = contexts
    pages = []
    wrong.clear()

    def open_page(name: str, **settings):
        page = context(**settings).new_page()
        pages.append(page)
        page.goto(f"{address}{name}")
        if settings.get("java_script_enabled", True):
            page.wait_for_function(READY)
        return page

    yield open_page
    for page in pages:
        page.evaluate("localStorage.clear()")
        page.close()
    # The one message that is due: Chromium notes that 404.html came with that status.
    assert [w for w in wrong if "/404.html: Failed to load resource" not in w] == []


READY = "() => document.readyState === 'complete'"
SEARCHES = "() => document.querySelector('.md-search-result__meta').textContent.trim() !== 'Initializing search'"
"""The search has its index, for which it asks when somebody goes to its box."""


def ours(url: str, address: str) -> bool:
    return url.startswith((address, "data:", f"blob:{address.removesuffix('/book/')}"))


# Tabs


SEVERAL = ".evidence--several"


def choose(page, runner: str):
    """Click the first tab in sight of a runner."""
    tab = page.locator(f"[role=tab][id$=tab-{runner}]:visible").first
    tab.click()
    return tab


def all_show(page, runner: str, on_screen: bool = True) -> None:
    """Each block that the runner is in shows what it printed, folded or not, and nobody else's."""
    shown = page.evaluate(
        """runner => [...document.querySelectorAll('.evidence--several')].map(block => {
          const tab = block.querySelector(`[role=tab][id$=tab-${runner}]`);
          const open = [...block.querySelectorAll(':scope > .evidence__panel')].filter(panel => !panel.hidden);
          return !tab || tab.getAttribute('aria-selected') === 'true' && open.length === 1
            && open[0].id === tab.getAttribute('aria-controls')
            && [...open[0].querySelectorAll(':scope > .evidence__foot:not([hidden])')].every(foot => foot.dataset.runner === runner);
        })""",
        runner,
    )
    assert all(shown) and len(shown) > 3


AT_REST = """element => new Promise((done) => {
  let y, frames = 0;
  const look = () => {
    const now = element.getBoundingClientRect().y;
    frames = now === y ? frames + 1 : 0;
    y = now;
    if (frames === 10) done(y); else requestAnimationFrame(look);
  };
  look();
})"""
"""Where an element is on the screen, once the blocks that are laid out when they come near have been."""


def test_a_tab_chosen_by_mouse_is_chosen_in_every_block_folded_too_and_kept(reader):
    page = reader(REPLAYS)
    all_show(page, "interpreter")
    folded = page.locator(f"details:not([open]):not(.evidence__again) {SEVERAL}")
    assert folded.count() > 0, "one of them is folded away"
    tab = page.locator("[role=tab][id$=tab-gpu]:visible").nth(2)
    tab.scroll_into_view_if_needed()
    before = tab.evaluate(AT_REST)
    tab.click()
    assert abs(tab.evaluate(AT_REST) - before) < 2, "what was clicked stays where it is"
    for name in (REPLAYS, CHAPTER):
        all_show(page, "gpu")
        page.goto(page.url.rpartition("/")[0] + f"/{name}")
    all_show(page, "gpu")


def test_a_tab_is_chosen_by_keyboard(reader):
    page = reader(REPLAYS)
    block = page.locator(SEVERAL).filter(has=page.get_by_role("tab", name="Compiled")).first
    tabs = block.get_by_role("tab")
    names = tabs.all_text_contents()
    assert names == ["Interpreter", "Compiled", "H200"]
    tabs.first.focus()
    for key, name in (("ArrowRight", "Compiled"), ("End", "H200"), ("ArrowRight", "Interpreter"), ("ArrowLeft", "H200"), ("Home", "Interpreter")):
        page.keyboard.press(key)
        chosen = block.get_by_role("tab", selected=True)
        expect(chosen).to_have_text(name)
        expect(chosen).to_be_focused()
        assert chosen.evaluate("e => getComputedStyle(e).outlineStyle") == "solid"
        expect(block.get_by_role("tabpanel", name=name)).to_be_visible()
    page.keyboard.press("Tab")
    assert block.evaluate("e => e.contains(document.activeElement)"), "the other tabs are no stop of the Tab key"
    expect(block.get_by_role("tab").and_(page.locator(":focus"))).to_have_count(0)


def test_a_link_opens_the_panel_and_the_fold_that_hide_its_line(reader):
    page = reader(REPLAYS)
    choose(page, "gpu")
    for fold in (".evidence__panel[hidden]", "details:not([open])"):
        line = page.locator(f".md-content {fold} .evidence__output span[id]").first.get_attribute("id")
        expect(page.locator(f"[id='{line}']")).to_be_hidden()
        page.evaluate("id => { location.hash = id; }", line)
        expect(page.locator(f"[id='{line}']")).to_be_in_viewport()
        page.goto(page.url)  # The same, from elsewhere.
        page.reload()
        expect(page.locator(f"[id='{line}']")).to_be_in_viewport()


def test_what_differs_is_marked_and_said(reader):
    page = reader(REPLAYS)
    block = page.locator(f"{SEVERAL}:has(.evidence__agree--differs)").first
    expect(block.locator(".evidence__agree")).to_contain_text("Interpreter and H200 differ where marked")
    for runner in ("interpreter", "gpu"):
        choose(page, runner)
        mark = block.locator("mark:visible").first
        look = mark.evaluate("e => [getComputedStyle(e).textDecorationLine, getComputedStyle(e, '::before').content]")
        assert look == ["underline", '" [differs: "'], "not by colour alone"


def test_without_a_script_every_panel_stands_under_its_name(reader):
    page = reader(REPLAYS, java_script_enabled=False)
    for block in page.locator(f"{SEVERAL}:visible").all():
        panels = block.locator(".evidence__panel")
        for panel in panels.all():
            expect(panel.locator(".evidence__runner").first).to_be_visible()
            expect(panel.locator(".evidence__output, .facts").first).to_be_visible()
    expect(page.locator("[role=tab]")).to_have_count(0)


def test_an_output_and_a_command_are_copied_as_they_stand(reader, address):
    page = reader(REPLAYS)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=address.partition("/book/")[0])
    choose(page, "gpu")
    block = page.locator(f"{SEVERAL}:visible").filter(has=page.locator("mark:visible")).first
    block.get_by_text("Reproduce").locator("visible=true").click()
    command = block.locator(".evidence__again:visible")
    expect(command).to_contain_text("pip install torch==")
    command.get_by_role("button", name="Copy").click()
    lines = "\n".join(command.locator("code").all_inner_texts())
    page.wait_for_function("async wanted => await navigator.clipboard.readText() === wanted", arg=lines)
    assert lines.count("\n") == 1 and lines.split("\n")[1].startswith("python ")
    output = block.locator(".evidence__output:visible")
    output.get_by_role("button", name="Copy").click()
    text = output.locator("samp").inner_text()
    page.wait_for_function("async wanted => (await navigator.clipboard.readText()).trimEnd() === wanted.trimEnd()", arg=text)
    assert text and "differs" not in text
    download = block.locator(".evidence__foot:visible a[download]")
    with page.expect_download() as fetched:
        download.click()
    assert fetched.value.suggested_filename == download.inner_text()


# Predict, then reveal


def test_an_answer_is_folded_until_it_is_asked_for(reader):
    page = reader(CHAPTER)
    fold = page.locator("details.question, details.success, details.example").filter(visible=True).first
    expect(fold.locator("> :nth-child(2)")).to_be_hidden()
    fold.locator("> summary").focus()
    page.keyboard.press("Enter")
    expect(fold.locator("> :nth-child(2)")).to_be_visible()
    page.keyboard.press("Enter")
    expect(fold.locator("> :nth-child(2)")).to_be_hidden()


# Plots


def test_a_plot_has_a_name_fits_its_frame_and_its_numbers_unfold(reader):
    page = reader(REPLAYS, viewport=PHONE)
    plots = page.locator("figure.plot")
    assert plots.count() >= 2
    for plot in plots.all():
        picture = plot.get_by_role("img", name=plot.locator("figcaption").inner_text())
        frame, within = plot.bounding_box(), picture.bounding_box()
        assert within["x"] >= frame["x"] and within["x"] + within["width"] <= frame["x"] + frame["width"] + 1
        numbers = plot.get_by_text("The numbers")
        expect(plot.get_by_role("table")).to_be_hidden()
        numbers.focus()
        page.keyboard.press("Enter")
        expect(plot.get_by_role("table")).to_be_visible()


# The frame


def test_the_menu_of_a_phone_is_reached_and_used_by_keyboard(reader):
    page = reader(REPLAYS, viewport=PHONE, reduced_motion="reduce")
    opener = page.get_by_role("button", name="Menu")
    for _ in range(4):
        page.keyboard.press("Tab")
        if opener.evaluate("e => e === document.activeElement"):
            break
    expect(opener).to_be_focused()
    expect(opener).to_have_attribute("aria-expanded", "false")
    page.keyboard.press("Enter")
    menu = page.locator(".md-sidebar--primary")
    focused = menu.locator(":focus")
    expect(focused).to_be_in_viewport()
    page.keyboard.press("Escape")
    expect(opener).to_be_focused()
    expect(opener).to_have_attribute("aria-expanded", "false")
    expect(menu.get_by_role("link", name="Kernel parameterization")).to_be_hidden()
    page.keyboard.press("Space")
    expect(opener).to_have_attribute("aria-expanded", "true")
    stops = set()
    for _ in range(12):
        expect(focused).to_be_in_viewport()
        stops.add(focused.inner_text())
        if "2. Kernel parameterization" in focused.inner_text():
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/{CHAPTER}")


# The memory replay


def test_a_replay_is_stepped_through_by_keyboard(reader):
    page = reader(REPLAYS)
    for replay in page.locator(".replay").all():
        last = int(replay.get_attribute("data-last"))
        said, count = replay.locator(".replay__said"), replay.locator(".replay__count")
        rows = replay.locator(".replay__steps tbody tr")
        expect(said).to_have_attribute("aria-live", "polite")
        expect(replay.locator("[aria-live]")).to_have_count(1)
        expect(count).to_have_text(f"1 of {last}")
        looks = set()
        replay.get_by_role("button", name="First step").focus()
        for step in range(1, last + 1):
            expect(count).to_have_text(f"{step} of {last}")
            expect(said).to_have_text(rows.nth(step - 1).get_attribute("data-said"))
            expect(rows.nth(step - 1)).to_have_attribute("aria-current", "step")
            expect(replay.locator(".replay__line.now")).to_have_count(1)
            looks.add(replay.locator(".replay__frame--last svg").evaluate("e => e.innerHTML"))
            page.keyboard.press("ArrowRight")
        assert len(looks) == last, "each step has a picture of its own"
        expect(count).to_have_text(f"{last} of {last}")
        expect(replay.get_by_role("button", name="Next step")).to_have_attribute("aria-disabled", "true")
        page.keyboard.press("ArrowLeft")
        expect(count).to_have_text(f"{last - 1} of {last}")
        page.keyboard.press("Home")
        expect(count).to_have_text(f"1 of {last}")
        page.keyboard.press("End")
        expect(count).to_have_text(f"{last} of {last}")


def test_a_replay_has_a_slider_buttons_and_lines(reader):
    page = reader(REPLAYS)
    replay = page.locator(".replay").first
    last = replay.get_attribute("data-last")
    count, slider = replay.locator(".replay__count"), replay.get_by_role("slider", name="Step")
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect(count).to_have_text(f"2 of {last}")
    expect(slider).to_have_attribute("aria-valuetext", f"step 2 of {last}")
    slider.fill(last)
    expect(count).to_have_text(f"{last} of {last}")
    replay.get_by_role("button", name="First step").click()
    replay.get_by_role("button", name="Next step").click()
    expect(count).to_have_text(f"2 of {last}")
    line = replay.locator(".replay__line[data-line]").last
    line.focus()
    lit = replay.locator(".replay__cell.lit")
    expect(lit).not_to_have_count(0)
    page.keyboard.press("Enter")
    expect(replay.locator(".replay__line.now")).to_have_attribute("data-line", line.get_attribute("data-line"))
    replay.locator(".replay__frame--last .replay__cell[data-at]").first.hover()
    expect(replay.locator(".replay__line.lit")).not_to_have_count(0)


def test_a_replay_plays_unless_motion_is_to_be_reduced(reader):
    page = reader(REPLAYS)
    replay = page.locator(".replay").first
    replay.get_by_role("button", name="Play").click()
    expect(replay.locator(".replay__said")).to_have_attribute("aria-live", "off")
    expect(replay.locator(".replay__count")).to_have_text(re.compile("^2 of"))
    replay.get_by_role("button", name="Pause").click()
    expect(replay.locator(".replay__said")).to_have_attribute("aria-live", "polite")
    page.emulate_media(reduced_motion="reduce")
    expect(replay.locator(".replay__play")).to_be_hidden()
    moving = page.evaluate(
        """() => [...document.querySelectorAll('*')].filter(e => {
          const s = getComputedStyle(e);
          return s.scrollBehavior === 'smooth' || s.animationName !== 'none'
            || s.transitionDuration.split(', ').some(d => parseFloat(d) > 0) && s.transitionProperty !== 'none';
        }).map(e => e.className)"""
    )
    assert moving == []


def test_without_a_script_a_replay_has_its_first_picture_its_last_and_a_table(reader):
    page = reader(REPLAYS, java_script_enabled=False)
    for replay in page.locator(".replay").all():
        last = replay.get_attribute("data-last")
        expect(replay.locator(".replay__frame--first figcaption")).to_contain_text(f"After step 1 of {last}.")
        expect(replay.locator(".replay__frame--last figcaption")).to_contain_text(f"After step {last} of {last}.")
        for picture in replay.locator(".replay__picture").all():
            expect(picture).to_be_visible()
        expect(replay.get_by_text("Every access as a table")).to_be_visible()
        assert replay.locator(".replay__steps tbody tr").count() == int(last)
        expect(replay.locator("button")).to_have_count(0)


# Search, copy, theme, values, ledger


@pytest.mark.parametrize("wanted", ["fma_relu_kernel", "x must be contiguous: shape (3, 2), strides (1, 3)"])
def test_search_finds_a_kernel_and_an_error_message(reader, site, wanted):
    """The slash opens the search, a page that has it is among the results, and Enter follows the first."""
    page = reader("index.html")
    expect(page.get_by_text("Search needs a server")).to_have_count(0)
    page.keyboard.press("/")
    box = page.get_by_role("textbox", name="Search")
    expect(box).to_be_focused()
    box.fill(wanted)
    page.keyboard.press("End")  # Material reads the box when a key comes up.
    pages = [
        path.name for path in site.glob("*.html") if wanted in re.sub(r"<[^>]+>", "", path.read_text("utf-8"))
    ]
    results = ", ".join(f'.md-search-result__link[href*="{name}"]' for name in pages)
    expect(page.locator(results).first).to_be_visible()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"\.html\?h="))


WORDS = """async () => {
  const address = JSON.parse(document.getElementById('__config').textContent).search;
  const [script, index] = await Promise.all([
    fetch(new URL(address, location)).then((got) => got.text()),
    fetch('search/search_index.json').then((got) => got.json()),
  ]);
  let handle, built;
  const self = {};
  new Function('self', 'addEventListener', 'postMessage', script)(self, (_, given) => { handle = given; }, () => {});
  const { Index } = window.lunr = self.lunr;
  self.lunr.Index = function (parts) { built = parts; Index.call(this, parts); };
  self.lunr.Index.prototype = Index.prototype;
  await handle({ data: { type: 0, data: { ...index, options: {} } } });
  return [built.tokenSet.toArray().sort(), Object.keys(built.invertedIndex).sort()];
}"""
"""The words that the search can find, and the words of its index."""


def test_the_search_finds_every_word_of_its_index_and_no_other(reader):
    """lunr mistakes words with digits for one another, of which this book is full: see executed.search."""
    found, indexed = reader("index.html").evaluate(WORDS)
    assert len(indexed) > 1000
    assert (set(found) - set(indexed), set(indexed) - set(found)) == (set(), set())


BEST = """() => [...document.querySelectorAll('.md-search-result__link')]
  .map((link) => [parseFloat(link.firstElementChild.dataset.mdScore), link.href.replace(/\\?h=[^#]*/, '')])
  .reduce((best, other) => other[0] > best[0] ? other : best, [0, ''])[1]"""
"""Where Enter in the search box would lead."""

PASTED = {
    # As a terminal shows them; names and numbers are not those of the book's programs.
    "expected-dtype": """Traceback (most recent call last):
  File "/home/me/act.py", line 31, in <module>
    act[grid](x, y, 77, BLOCK_M=64)
triton.compiler.errors.CompilationError: at 9:32:
def act(
    a_ptr,
    BLOCK_M: tl.constexpr,
):
    offsets = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    tl.store(y_ptr + offsets, tl.math.erf(x), mask=mask)
                              ^
Expected dtype ['fp32', 'fp64'] but got fp8e5
""",
    "numel": "triton.runtime.errors.InterpreterError: ValueError('numel (33554432) exceeds triton maximum tensor numel (1048576)')",
    "keyword-unrecognised": "KeyError: 'Keyword argument BLOCK_SIZE_M was specified but unrecognised'",
    "positional-argument": "TypeError: softmax_kernel() missing 2 required positional arguments: 'n' and 'BLOCK_M'",
    "active-drivers": "    raise RuntimeError(f\"{len(actives)} active drivers\")\nRuntimeError: 0 active drivers ([]). There should only be one.\n",
    "static-assert": "CompileTimeAssertionFailure: at 22:8:\n    else:\n        tl.static_assert(False, \"bad KIND\")\n        ^\nbad KIND\n",
    "required-argument": "CompilationError: at 11:32:\ndef f(\n  ^\nTypeError(\"missing a required argument: 'bias'\")",
    "contiguous": "ValueError: x must be contiguous: shape (128, 64), strides (1, 128)",
    "wrong-dtype": "TypeError: x is torch.int64, wanted torch.float32",
}


def search_box(page):
    page.keyboard.press("/")
    box = page.get_by_role("textbox", name="Search")
    expect(box).to_be_focused()
    page.wait_for_function(SEARCHES)
    return box


def leads_to(page, *wanted: str) -> None:
    """The best result of the search is one of some addresses."""
    try:
        page.wait_for_function(f"wanted => wanted.some((end) => ({BEST})().endsWith(end))", arg=wanted, timeout=3_000)
    except sync_api.TimeoutError:
        raise AssertionError(f"it leads to {page.evaluate(BEST)}, not to {wanted}") from None


@pytest.mark.parametrize("entry", PASTED)
def test_a_pasted_message_finds_its_entry(reader, address, entry):
    page = reader("index.html")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=address.partition("/book/")[0])
    page.evaluate("text => navigator.clipboard.writeText(text)", PASTED[entry])
    search_box(page)
    page.keyboard.press("ControlOrMeta+v")
    leads_to(page, f"errors.html#err-{entry}")


def test_a_name_finds_the_section_that_teaches_it(reader, site):
    """As the lists of kernels and of names have it; what stands before a dot may be left out."""
    taught: dict[str, list[str]] = {}
    for name in ("api", "kernels"):
        text = (site / f"{name}.html").read_text("utf-8")
        for names, entry in re.findall(r'((?:<dt id="[^"]*"><code>.*?</dt>)+)(<dd>.*?)(?=<dt|</dl>)', text, re.DOTALL):
            for found in re.findall(r"<dt[^>]*><code>(\w[^<]*)</code>", names):
                taught.setdefault(found, []).extend(re.findall(r'href="(\d[^"]*#[^"]*)"', entry)[:1])
    page = reader("index.html")
    box = search_box(page)
    for typed, name in {
        "tl.load": "tl.load", "load": "tl.load", "constexpr": "tl.constexpr", "program_id": "tl.program_id",
        "tl.static_assert": "tl.static_assert", "triton.Config": "triton.Config", "fma_relu_kernel": "fma_relu_kernel",
        "shape_kernel": "shape_kernel", "total_kernel": "total_kernel",
    }.items():
        box.fill(typed)
        page.keyboard.press("End")
        leads_to(page, *taught[name])


# Terms


def a_term(page):
    """A term in sight that is not at the top, where the header would cover what belongs to it."""
    term = page.locator(".md-content p > a.term[href*='glossary.html#']:visible").nth(3)
    term.evaluate("e => e.scrollIntoView({ block: 'center' })")
    return term


def test_a_term_shows_its_definition_to_the_keyboard_and_leads_to_its_entry(reader):
    page = reader(CHAPTER)
    term = a_term(page)
    definition = term.get_attribute("title")
    term.focus()
    shown = page.get_by_role("tooltip")
    expect(shown).to_have_text(definition)
    expect(shown).to_be_visible()
    expect(term).to_have_attribute("aria-describedby", re.compile("."))
    assert term.evaluate("e => getComputedStyle(e).outlineStyle") == "solid"
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/glossary\.html#term-"))
    entry = page.locator(f"[id='{page.url.partition('#')[2]}'] + p")
    expect(entry).to_be_in_viewport()
    assert re.sub(r"\s+", " ", entry.inner_text()).startswith(definition)


def test_a_term_shows_its_definition_at_the_first_tap_and_follows_at_the_second(reader):
    page = reader(CHAPTER, viewport=PHONE, has_touch=True, is_mobile=True)
    term = a_term(page)
    definition = term.get_attribute("title")
    term.tap()
    shown = page.get_by_role("tooltip")
    expect(shown).to_have_text(definition)
    expect(shown).to_be_in_viewport(ratio=1)
    assert "glossary" not in page.url
    term.tap()
    page.wait_for_url(re.compile(r"/glossary\.html#term-"))


def test_without_a_script_a_term_is_a_link_with_a_title(reader):
    page = reader(CHAPTER, java_script_enabled=False)
    term = a_term(page)
    assert len(term.get_attribute("title")) > 20
    term.click()
    page.wait_for_url(re.compile(r"/glossary\.html#term-"))


@pytest.mark.parametrize("name", [CHAPTER, "notebooks/ch12_elementwise.html"])
def test_a_listing_is_copied_as_it_stands(reader, address, name):
    page = reader(name)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=address.partition("/book/")[0])
    listing = page.locator(".md-content .listing:visible").first
    listing.get_by_role("button", name="Copy").click()
    expect(listing.get_by_role("button", name="Copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.strip() == listing.locator("code").inner_text().strip() != ""


def test_the_theme_goes_round_by_mouse_and_keyboard_and_is_kept(reader):
    page = reader("index.html", color_scheme="light")
    body = page.locator("body")
    papers = []
    for number, scheme in enumerate(SCHEMES.values(), start=1):
        page.locator(f"label[for=__palette_{number}]").click()
        expect(body).to_have_attribute("data-md-color-scheme", scheme)
        papers.append(page.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert papers[0] != papers[1]
    page.reload()
    expect(body).to_have_attribute("data-md-color-scheme", "slate")
    page.goto(page.url.replace("index.html", "contents.html"))
    expect(body).to_have_attribute("data-md-color-scheme", "slate")
    page.locator("#__palette_2").focus()
    page.keyboard.press("ArrowLeft")
    expect(body).to_have_attribute("data-md-color-scheme", "default")


def test_a_value_is_reached_by_keyboard_and_leads_to_the_line_that_prints_it(reader):
    page = reader(REPLAYS)
    assert page.locator("a:is(.value, .claim, .derived)").count() > 20
    lost = page.evaluate(
        """() => [...document.querySelectorAll(':is(.value, .claim, .derived)')].filter(e => e.tabIndex !== 0
          || e.hash && e.pathname === location.pathname && !document.getElementById(decodeURIComponent(e.hash.slice(1)))
        ).map(e => e.outerHTML)"""
    )
    assert lost == []
    value = page.locator("a.value[href^='#']").first
    value.focus()
    assert value.evaluate("e => getComputedStyle(e).outlineStyle") == "solid"
    page.keyboard.press("Enter")
    line = page.locator(f"[id='{value.get_attribute('href')[1:]}']")
    expect(line).to_be_visible()
    expect(line).to_be_in_viewport()


@pytest.mark.parametrize("size", [PHONE, LAPTOP])
def test_a_link_lands_on_its_section_however_far_it_is(reader, size):
    """What lies between is not laid out before somebody comes near."""
    for number in (0, -2):  # The last may stand below the middle of the last screen.
        page = reader(REPLAYS, viewport=size)
        link = page.locator(".md-content h2[id]").nth(number)
        page.goto(f"{page.url}#{link.get_attribute('id')}")
        page.wait_for_timeout(500)
        top = link.bounding_box()["y"]
        assert 0 <= top < size["height"] / 4, (number, top)


def test_the_ledger_is_filtered_by_text_and_by_column(reader):
    page = reader("ledger.html")
    rows = page.locator("table.ledger tbody tr:visible")
    every = page.locator("table.ledger tbody tr").count()
    count = page.locator(".ledger__filter output")
    expect(count).to_have_text(f"{every} of {every} captures")
    page.locator("label").filter(has_text=re.compile("^Runner")).locator("select").select_option("gpu")
    expect(count).not_to_have_text(f"{every} of {every} captures")
    assert set(rows.locator("td:nth-child(3)").all_text_contents()) == {"gpu"}
    page.get_by_label("Snippet").fill("fma_relu")
    expect(rows).not_to_have_count(0)
    assert all("fma_relu" in name for name in rows.locator("td:first-child").all_text_contents())
    page.get_by_label("Snippet").fill("no such snippet")
    expect(count).to_have_text(f"0 of {every} captures")


# Every page


@pytest.mark.parametrize("name", PAGES)
def test_every_page_is_accessible_and_fits_every_screen(reader, name):
    """axe on the whole page, with all that folds or hides behind a tab open, in both schemes, on both screens.

    The frame is the same on every page, so that one page has it in each scheme on each screen.
    """
    page = reader(name, color_scheme="light", reduced_motion="reduce")
    assert page.title() and page.evaluate("document.styleSheets.length") > 1
    # What is far from the screen is neither laid out nor painted, so nobody could see what is wrong with it.
    page.add_style_tag(content=".md-content * { content-visibility: visible !important; }")
    for state in ("folded", "unfolded"):
        for size in (LAPTOP, TABLET, PHONE):
            page.set_viewport_size(size)
            assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], f"{state}, it scrolls sideways at {size}"
        page.evaluate("document.querySelectorAll('.evidence__panel').forEach(e => e.hidden = false)")
        page.evaluate("document.querySelectorAll('details').forEach(e => e.open = true)")
    page.evaluate(ALIKE)
    page.evaluate(AXE.read_text("utf-8"))
    found = []
    looks = [(PHONE, "light"), (LAPTOP, "dark"), *([(PHONE, "dark"), (LAPTOP, "light")] if name == "index.html" else [])]
    for size, scheme in looks:
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=scheme)
        expect(page.locator("body")).to_have_attribute("data-md-color-scheme", SCHEMES[scheme])
        faults = page.evaluate(FAULTS)
        found += [f"{size['width']} px, {scheme}: {fault}" for fault in faults]
    assert not found, "\n".join(found)


ALIKE = """() => {
  // Of rows, paragraphs, listings and blocks that hold the same kinds of elements, two are looked at.
  const looks = {};
  for (const part of document.querySelectorAll("tbody tr, .md-content :is(p, li), math, .highlight, .facts, .evidence, .evidence__foot, .replay__cell, .replay__line")) {
    const kinds = new Set([part, part.parentElement, ...part.querySelectorAll("*")].map((e) => e.tagName + (e.getAttribute("class") ?? "")));
    const look = [...kinds].sort().join();
    looks[look] = (looks[look] ?? 0) + 1;
    if (looks[look] > 2) part.remove();
  }
  // Of the tokens of listings that look alike, one is looked at; the others become text of their line.
  const seen = new Set(), alike = [];
  for (const token of document.querySelectorAll("pre span:not([id], [tabindex], [title])")) {
    const look = getComputedStyle(token), around = token.parentElement;
    const key = [token.closest("pre").parentElement.className, around.className, look.color, look.backgroundColor,
      look.fontSize, look.fontWeight, look.opacity].join();
    if (look.display === "inline" && seen.has(key)) alike.push(token);
    seen.add(key);
  }
  alike.forEach((token) => token.replaceWith(...token.childNodes));
  document.body.normalize();
}"""

FAULTS = """async () => {
  const { violations } = await axe.run(document, { resultTypes: ["violations"] });
  return violations.flatMap(({ id, help, nodes }) => nodes
    .map(({ target, html, failureSummary }) => `${id} (${help}): ${target} ${html.slice(0, 200)} ${failureSummary.replace(/\\s+/g, " ")}`));
}"""


@pytest.mark.parametrize("name", [CHAPTER, REPLAYS])
def test_a_chapter_is_a_small_transfer(reader, address, name, record_property):
    Handler.sent.clear()
    page = reader(name, locale="en-GB", timezone_id=f"Etc/GMT-{len(name) % 9}")  # A context of its own, so cold.
    page.wait_for_load_state("networkidle")
    parts = sorted({path: size for path, size in Handler.sent}.items(), key=lambda part: -part[1])
    total = sum(size for _, size in parts)
    record_property("transferred", total)
    assert total < MOST, parts
    assert not any(path.endswith("search_index.json") for path, _ in parts), "it is for those who search"
    page.locator(".md-search__input").focus()
    page.wait_for_function(SEARCHES)
    assert any(path.endswith("search_index.json") for path, _ in Handler.sent)


@pytest.mark.parametrize(("name", "size"), [("index.html", LAPTOP), (REPLAYS, PHONE)])
def test_focus_is_seen_wherever_the_keyboard_goes(reader, name, size):
    page = reader(name, viewport=size)
    seen = set()
    for _ in range(150):
        page.keyboard.press("Tab")
        stop, outlined, inside = page.evaluate(
            """() => {
              const e = document.activeElement, next = e.nextElementSibling;
              const mark = e.matches('.md-option') ? next : e;  // Its label is what stands there.
              const at = mark.getBoundingClientRect();
              return [e === document.body ? '' : e.outerHTML.slice(0, 160),
                getComputedStyle(mark).outlineStyle !== 'none' || e.matches('.md-search__input'),  // The search opens.
                mark.checkVisibility({ visibilityProperty: true }) && at.right > 0 && at.left < innerWidth && at.bottom > 0 && at.top < innerHeight];
            }"""
        )
        if not stop:
            break
        assert outlined and inside, stop
        seen.add(stop)
    assert len(seen) > 20


def test_paper_shows_every_tab_and_no_controls(reader):
    page = reader(REPLAYS)
    expect(page.locator(".replay__controls").first).to_be_visible()
    page.emulate_media(media="print")
    for selector in (".evidence__panel", ".evidence__runner", ".plot__picture", ".replay__frame--first"):
        hidden = page.locator(selector).evaluate_all("all => all.filter(e => !e.checkVisibility() || !e.getBoundingClientRect().height).length")
        assert hidden == 0 < page.locator(selector).count(), selector
    for selector in (".md-header", ".md-sidebar", ".md-footer", ".replay__controls", ".evidence__tabs", ".evidence__copy"):
        assert page.locator(selector).evaluate_all("all => all.filter(e => e.checkVisibility()).length") == 0, selector


def test_a_chapter_opens_from_a_folder_with_only_the_search_missing(browser, site):
    page = browser.new_page(viewport=LAPTOP)
    page.set_default_timeout(5_000)
    wrong = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda asked: None if asked.url.startswith((site.as_uri(), "data:")) else wrong.append(asked.url))
    page.goto(f"{site.as_uri()}/{REPLAYS}")
    replay = page.locator(".replay").first
    replay.get_by_role("button", name="Next step").click()
    expect(replay.locator(".replay__count")).to_have_text(re.compile("^2 of"))
    expect(page.locator(".md-search")).to_be_hidden()
    expect(page.get_by_text("Search needs a server")).to_be_visible()
    choose(page, "gpu")
    all_show(page, "gpu")
    page.locator(".md-footer__link--prev").click()
    page.wait_for_url(lambda url: url.startswith(site.as_uri()) and not url.endswith(REPLAYS))
    assert wrong == []
    page.close()
