"""Read the glossary, and find the first use of each term in every section of a page."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from executed.headings import Section, sections
from executed.prose import Link, Run

PAGE = "glossary.md"
LONGEST = 200
"""Characters of a definition: it is shown beside the word."""

_ID = re.compile(r"^## .+\{#(?P<id>[\w-]+)\}$")
_SPELLINGS = re.compile(r"^(?P<kind>Also|Not): (?P<words>.+)$", re.MULTILINE)
_SENTENCE = re.compile(r".+?[.!?](?=\s|$)")
_LINK = re.compile(r"\[(?P<words>[^\]]+)\]\((?P<target>[^)\s]+)\)")
_MARKUP = re.compile(r"[`*]|\{\{.*?\}\}")
# What a page's Markdown has beside running text: calls, code, links, mathematics, markup.
_NO_PROSE = re.compile(
    r"\{\{.*?\}\}|`[^`]*`|\[[^\]]*\]\([^)]*\)|\$\$[^$]+\$\$|\$[^$\n]+\$|<[^>]+>|^\s*[|!].*$", re.MULTILINE
)
_FOLDED = re.compile(r"^\?\?\?.*\n(?:(?:    .*)?\n)*", re.MULTILINE)


@dataclass(frozen=True)
class Entry:
    """A term of the glossary."""

    term: str
    anchor: str
    line: int
    definition: str
    """The first sentence of its text, without markup."""
    also: tuple[str, ...]
    """Other spellings; a plural in -s needs none."""
    never: tuple[str, ...]
    """Phrases with the term in them that mean something else."""
    links: tuple[str, ...]


def read(text: str) -> list[Entry]:
    """The entries of the glossary's Markdown, in its order."""
    return [_entry(section) for section in sections(text) if section.level == 2]


def shown(text: str) -> str:
    """The glossary as its page shows it: other spellings set apart, what is none of them left out."""
    return _SPELLINGS.sub(lambda match: f"*{match[0]}*{{ .also }}" if match["kind"] == "Also" else "", text)


def links(page: str, found: Iterable[Run], entries: list[Entry], address: str) -> Iterator[Link]:
    """Lead each term in the running text of a page, once in a section, to its entry.

    ``address`` is that of the glossary, as seen from the page.
    """
    pattern, by_words = _pattern(entries)
    section, seen = 0, set()
    for run in found if entries else ():
        if run.section != section:
            section, seen = run.section, set()
        if run.kind == "code" or run.section == 0:
            continue
        for match in pattern.finditer(page, run.start, run.end):
            entry = by_words.get(_key(match["words"]))
            if entry is None or entry.anchor in seen:
                continue
            seen.add(entry.anchor)
            yield Link(match.start(), match.end(), f"{address}#{entry.anchor}", entry.definition)


def complaints(path: str, text: str, pages: Iterable[str]) -> Iterator[str]:
    """What is wrong with the glossary; ``pages`` is the Markdown of every other page."""
    entries = read(text)
    lines = text.split("\n")
    owners: dict[str, str] = {}
    for entry, above in zip(entries, [None, *entries]):
        where = f"{path}:{entry.line}"
        if above is not None and entry.term.casefold() < above.term.casefold():
            yield f"{where}: entries are in alphabetical order; move {entry.term!r} above {above.term!r}"
        if not _ID.match(lines[entry.line - 1]) or not entry.anchor.startswith("term-"):
            yield f"{where}: the heading of an entry ends in its address, {{#term-{entry.anchor.removeprefix('term-')}}}"
        if not entry.definition:
            yield f"{where}: {entry.term!r} has no definition; its text begins with one sentence that is"
        elif len(entry.definition) > LONGEST:
            yield (
                f"{where}: the first sentence of {entry.term!r} has {len(entry.definition)} characters; it is shown "
                f"beside the word, so make it {LONGEST} at most"
            )
        if not any(".md" in link for link in entry.links):
            yield f"{where}: {entry.term!r} links no section that teaches it"
        for words in map(_key, (entry.term, *entry.also)):
            if words in owners:
                yield f"{where}: {words!r} is a spelling of {owners[words]!r} already"
            owners.setdefault(words, entry.term)
    unused = {entry.anchor: entry for entry in entries}
    pattern, by_words = _pattern(entries)
    for page in pages if entries else ():
        for match in pattern.finditer(_running(page)):
            if entry := by_words.get(_key(match["words"])):
                unused.pop(entry.anchor, None)
    for entry in unused.values():
        yield f"{path}:{entry.line}: no page uses {entry.term!r} in its running text; use it, or delete the entry"


def _entry(section: Section) -> Entry:
    spellings = {match["kind"]: _words(match["words"]) for match in _SPELLINGS.finditer(section.prose)}
    text = _SPELLINGS.sub("", section.prose)
    plain = " ".join(_MARKUP.sub("", _LINK.sub(lambda match: match["words"], text)).split())
    sentence = _SENTENCE.match(plain)
    links = tuple(match["target"] for match in _LINK.finditer(text))
    return Entry(
        section.title, section.anchor, section.line, sentence[0] if sentence else "",
        spellings.get("Also", ()), spellings.get("Not", ()), links,
    )


def _words(line: str) -> tuple[str, ...]:
    return tuple(words.strip() for words in line.rstrip(".").split(",") if words.strip())


def _key(words: str) -> str:
    """What two spellings of one term share: blanks, and a capital that begins a sentence, do not count."""
    plain = " ".join(words.split())
    return plain if plain[1:2].isupper() else plain[:1].lower() + plain[1:]


def _pattern(entries: list[Entry]) -> tuple[re.Pattern, dict[str, Entry]]:
    """What finds a term in running text, and the entry of each spelling; a phrase that is none has no entry."""
    by_words: dict[str, Entry | None] = {}
    for entry in entries:
        by_words |= {_key(words): entry for words in (entry.term, *entry.also)}
    for entry in entries:
        by_words |= {_key(words): None for words in entry.never}
    longest = sorted(by_words, key=len, reverse=True)
    any_of = "|".join(_spelling(words) for words in longest)
    return re.compile(rf"(?<![\w-])(?P<words>{any_of})(?:e?s)?(?![\w-])"), by_words


def _spelling(words: str) -> str:
    first, *rest = (re.escape(word) for word in words.split())
    if first[0].islower():
        first = f"[{first[0]}{first[0].upper()}]{first[1:]}"
    return r"\s+".join([first, *rest])


def _running(text: str) -> str:
    """Roughly the running text of a page's Markdown."""
    prose = "\n".join(section.prose for section in sections(text))
    return _NO_PROSE.sub(" ", _FOLDED.sub("\n", prose))
