"""MkDocs adapter: hands each page to the engine and puts back what it returns."""

import gc
import json
import re
import sys
from pathlib import Path

from mkdocs.exceptions import Abort
from mkdocs.plugins import event_priority, get_plugin_logger
from jinja2 import FileSystemBytecodeCache
from mkdocs.structure.files import File
from mkdocs.structure.toc import get_toc
from mkdocs.utils import get_relative_url

sys.path.insert(0, str(Path(__file__).resolve().parent))

from executed import glossary, notes, publish  # noqa: E402
from executed.index import index  # noqa: E402
from executed.marks import mark  # noqa: E402
from executed.mathml import MathError, to_mathml  # noqa: E402
from executed.notebook_page import headings, notebook_page  # noqa: E402
from executed.render import expand, fill  # noqa: E402
from executed.search import add_fields, mend_worker  # noqa: E402
from executed.site import cache, templates  # noqa: E402

# The theme's script measures every `pre > code` when a page opens, and puts a <nav> into each. In a wrapper
# it leaves a listing alone; docs/javascripts/evidence.js gives it its button.
_LISTING = re.compile(r"<pre>(?:<span></span><code>|<code><span></span>)(.*?)</code></pre>", re.DOTALL)
_THEME_SCRIPT = re.compile(r'<script src="(?P<root>[^"]*)assets/javascripts/bundle\.')

log = get_plugin_logger("executed")
serving = False
book: publish.Book
blocks: dict[str, dict[str, str]]
"""By page, what is put in place before the search plugin reads it."""
later: dict[str, dict[str, str]]
"""And after it."""
notebooks: dict[str, str]
problems: list[str]


def on_startup(command, **_):
    global serving
    serving = command == "serve"
    if not serving:
        # Nearly all that a build makes lives to its end: looking for garbage takes time for nothing.
        gc.disable()


def on_config(config, **_):
    global book, blocks, later, notebooks, problems
    book = publish.open_book(Path(config.config_file_path).parent)
    blocks, later, notebooks, problems = {}, {}, {}, list(book.problems)
    if notes.follow:
        # The preview says when a run is over; a build before that would show the past.
        config.watch = [path for path in config.watch if Path(path) != book.repository.folder]


def on_files(files, config):
    for path, text in publish.programs(book):
        files.append(File.generated(config, path, content=text))
    for path, page_path, text in publish.notebooks(book):
        files.append(File.generated(config, path, content=text))
        page = notebooks[page_path] = notebook_page(text, cache(book.repository.root) / Path(path).with_suffix(".html"))
        # The chapter that it belongs to is what a search should find.
        head = json.dumps({"title": headings(page)[0]["name"], "search": {"exclude": True}})
        files.append(File.generated(config, page_path, content=f"---\n{head}\n---\n"))
    return files


def context_of(page, files):
    def address(path: str) -> str:
        # What could not be made has no file; that is a problem of its own, told elsewhere.
        return get_relative_url(files.src_uris[path].url if path in files.src_uris else path, page.url)

    return book.context(address)


def on_page_markdown(markdown, page, files, **_):
    source = page.file.content_string
    first_line = source.rstrip().count("\n") - markdown.rstrip().count("\n") + 1
    if page.file.src_uri == glossary.PAGE:
        markdown = glossary.shown(markdown)
    expanded = expand(markdown, context_of(page, files), first_line)
    path = page.file.src_uri
    comments = {token: f"<!--{token}-->" for token in expanded.unsearched}
    blocks[path] = expanded.blocks | comments
    later[path] = {comment: expanded.blocks[token] for token, comment in comments.items()}
    problems.extend(f"docs/{path}:{problem}" for problem in expanded.problems)
    return expanded.text


def on_page_content(html, page, files, **_):
    if page.file.src_uri in notebooks:
        page.toc = get_toc(headings(notebooks[page.file.src_uri]))
        return notebooks[page.file.src_uri]
    if page.meta.get("marks", True):
        html = mark(html, page.file.src_uri, context_of(page, files))
    try:
        shown = to_mathml(html)
    except MathError as error:
        problems.append(f"docs/{page.file.src_uri}: {error}")
        return html
    # The blocks hold captures alone.
    problems.extend(book.unsourced(page.file.src_uri, shown))
    return fill(shown, blocks[page.file.src_uri])


# After the search plugin, which reads the page here.
@event_priority(-100)
def on_page_context(context, page, **_):
    for comment, block in later.get(page.file.src_uri, {}).items():
        page.content = page.content.replace(comment, block)
    page.content = _LISTING.sub(r'<pre class="listing"><span><code>\1</code></span></pre>', page.content)
    return context


def on_env(env, config, **_):
    found = list(dict.fromkeys(problem.replace(f"{book.repository.root}/", "") for problem in problems))
    for problem in found:
        log.info(problem) if serving else log.error(problem)
    # Not left to MkDocs' count of warnings, which --verbose turns off.
    if found and config.strict and not serving:
        raise Abort(f"{len(found)} problems in strict mode")
    env.bytecode_cache = FileSystemBytecodeCache(str(templates(book.repository.root)))
    return env


# After the search plugin, which writes its index here.
@event_priority(-100)
def on_post_page(output, **_):
    # Before the theme's own script; `extra_javascript` comes after it.
    return _THEME_SCRIPT.sub(r'<script src="\g<root>javascripts/late_index.js"></script>\g<0>', output, count=1)


def on_post_build(config, **_):
    path = Path(config.site_dir, "search", "search_index.json")
    if path.is_file():
        urls = {page: File(page, "", "", config.use_directory_urls).url for _, _, page in book.chapters if page}
        taught = {f"{urls[page]}#{anchor}": names for (page, anchor), names in index(book.context(str)).taught().items()}
        path.write_text(add_fields(path.read_text("utf-8"), taught), "utf-8")
    for path in Path(config.site_dir, "assets", "javascripts", "workers").glob("search.*.js"):
        path.write_text(mend_worker(path.read_text("utf-8")), "utf-8")


def on_serve(server, **_):
    """Where the live preview runs snippets itself, let it say when to build again."""

    def build_again():
        # MkDocs has no call for it, and looks for changed files only every half second.
        with server._rebuild_cond:
            server._want_rebuild = True
            server._rebuild_cond.notify_all()

    for start in notes.follow:
        start(build_again)
    return server
