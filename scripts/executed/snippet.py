"""What a snippet is: a program on disk, its name, and the settings that it declares."""

import math
import re
import tomllib
from dataclasses import dataclass, field, fields, replace
from fnmatch import fnmatchcase
from pathlib import Path

KINDS = ("exact", "bound", "measured", "volatile")
DEFAULT_RUNNERS = ("interpreter", "compiler", "gpu")
DEFAULT_TIMEOUT = 60.0

# PEP 723's form with a type of our own.
_BLOCK = re.compile(r"(?m)^# /// capture\n(?P<body>(?:^#(?: .*)?\n)+?)^# ///$\n?")
# Whoever writes one of these meant a block; passed over, it would leave the defaults in force.
_OPENING = re.compile(r"(?mi)^[ \t]*#[ \t]*/+[ \t]*captures?\b.*$")


class SnippetError(Exception):
    """A snippet that the engine cannot work with; the message names file and line."""


@dataclass(frozen=True)
class Label:
    """What the number behind one printed ``label:`` means when a re-run moves it."""

    pattern: str
    """The label as printed, or an fnmatch pattern over labels."""
    kind: str = "exact"
    """One of ``KINDS``."""
    limit: float | None = None
    """For ``bound``: the largest magnitude that is still noise."""
    within: float | None = None
    """For ``measured``: relative half-width of the envelope around the recorded value."""

    def covers(self, label: str) -> bool:
        return fnmatchcase(label, self.pattern)


@dataclass(frozen=True)
class Speed:
    """What the ledger says of a kernel's speed: two ratios over values that a GPU run printed, above 1 where it is faster."""

    name: str
    """The operation, its sizes and dtype."""
    library: str
    """What a user would otherwise call."""
    over_library: str
    """Its time over the kernel's, as an expression."""
    ceiling: str
    """What nothing can be faster than."""
    of_ceiling: str
    """The part of it that the kernel reaches, as an expression."""


@dataclass(frozen=True)
class Settings:
    """What the ``# /// capture`` block of a snippet declares; the defaults where it has none."""

    runners: tuple[str, ...] = DEFAULT_RUNNERS
    """Names of the runners that capture this snippet."""
    raises: str | None = None
    """Name of the exception that ends the program, where that is its lesson."""
    timeout: float = DEFAULT_TIMEOUT
    """Seconds after which the run is killed."""
    bundle: tuple[str, ...] = ()
    """Names of sibling snippets that make up this program, in order."""
    labels: tuple[Label, ...] = ()
    differs: str | None = None
    """Why the runners print different things, where that is the lesson; shown on the page."""
    rejects: tuple[str, ...] = ()
    """Names of kernels that the compiler rejects, where that is the lesson."""
    no_gpu: str | None = None
    """Why it is not captured on a GPU, where its runners leave that out."""
    ptx: tuple[str, ...] = ()
    """Launches, as ``kernel(CONSTANT=value)``, whose PTX the compiler's capture lists."""
    speeds: tuple[Speed, ...] = ()


@dataclass(frozen=True)
class Snippet:
    """A complete program under ``snippets/`` that the engine runs and a page shows."""

    name: str
    """``chapter/stem``: the command-line argument, the test id, the prefix of every message."""
    path: Path
    text: str = field(repr=False)
    """The source, line ends normalised."""
    settings: Settings = Settings()

    def __str__(self) -> str:
        return self.name

    @property
    def chapter(self) -> str:
        return self.name.split("/")[0]

    @property
    def stem(self) -> str:
        return self.name.split("/")[1]

    @property
    def module(self) -> str:
        """The dotted name under which another snippet imports from this one."""
        return self.name.replace("/", ".")

    @property
    def shows_facts(self) -> bool:
        """Whether the compiler's capture holds facts about launches, not what the program prints."""
        return self.settings.runners != ("compiler",)

    def prints(self, runner: str) -> bool:
        """Whether a runner's capture holds what the program prints, and not what was seen of its launches."""
        return runner != "replay" and not (runner == "compiler" and self.shows_facts)

    @property
    def file(self) -> str:
        """What its program is called where a reader downloads and runs it."""
        return f"{self.chapter if self.settings.bundle else self.stem}{self.path.suffix}"

    @property
    def is_python(self) -> bool:
        return self.path.suffix == ".py"

    def capture_path(self, runner: str) -> Path:
        return self.path.with_name(f"{self.stem}.{runner}.txt")


def load(path: Path, root: Path) -> Snippet:
    """Read one snippet. ``root`` is the ``snippets/`` folder; raises ``SnippetError``."""
    name = path.relative_to(root).with_suffix("").as_posix()
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise SnippetError(f"{path}: not UTF-8: {error}") from None
    except OSError as error:
        raise SnippetError(f"{path}: cannot be read: {error.strerror}") from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise SnippetError(f"{path}:{line}: a NUL character, which Python source cannot hold")
    text = text.removeprefix("\ufeff")
    settings = _settings(path, text)
    if path.suffix == ".mojo" and settings.runners == DEFAULT_RUNNERS:
        settings = replace(settings, runners=("mojo",))
    return Snippet(name, path, text, settings)


def strip_settings(text: str) -> str:
    """Drop the settings block, which tells a reader of the program nothing."""
    return _BLOCK.sub("", text, count=1)


def _settings(path: Path, text: str) -> Settings:
    openings = list(_OPENING.finditer(text))
    if not openings:
        return Settings()
    line = text.count("\n", 0, openings[0].start()) + 1
    where = f"{path}:{line}"
    match = _BLOCK.search(text)
    if len(openings) > 1:
        second = text.count("\n", 0, openings[1].start()) + 1
        raise SnippetError(f"{path}:{second}: a second settings block; the first is at line {line}")
    if match is None:
        raise SnippetError(
            f"{where}: malformed settings block; it opens with '# /// capture', every line begins "
            "with '# ', and it closes with '# ///'"
        )
    body = "".join(row[2:] if row.startswith("# ") else row[1:] for row in match["body"].splitlines(True))
    try:
        table = tomllib.loads(body)
    except tomllib.TOMLDecodeError as error:
        raise SnippetError(f"{where}: settings block is not TOML: {error}") from None
    return _from_table(where, table)


def _from_table(where: str, table: dict) -> Settings:
    def take(key: str, kind: type | tuple[type, ...], default):
        value = table.pop(key, default)
        if value is not default and (not isinstance(value, kind) or isinstance(value, bool)):
            raise SnippetError(f"{where}: {key} = {value!r} is not a {_noun(kind)}")
        return value

    def strings(key: str, default: tuple[str, ...]) -> tuple[str, ...]:
        value = take(key, list, default)
        if not all(isinstance(item, str) for item in value):
            raise SnippetError(f"{where}: {key} = {value!r} is not a list of strings")
        if len(set(value)) != len(value):
            raise SnippetError(f"{where}: {key} = {value!r} names one twice")
        return tuple(value)

    runners = strings("runners", DEFAULT_RUNNERS)
    bundle = strings("bundle", ())
    raises = take("raises", str, None)
    timeout = float(take("timeout", (int, float), DEFAULT_TIMEOUT))
    labels = tuple(_label(where, name, entry) for name, entry in take("labels", dict, {}).items())
    differs = " ".join(take("differs", str, "").split()) or None
    no_gpu = " ".join(take("no_gpu", str, "").split()) or None
    rejects, ptx = strings("rejects", ()), strings("ptx", ())
    speeds = tuple(_speed(where, name, entry) for name, entry in take("speed", dict, {}).items())
    if table:
        known = "runners, raises, timeout, bundle, labels, differs, rejects, no_gpu, ptx, speed"
        raise SnippetError(f"{where}: unknown setting {next(iter(table))!r}; known are {known}")
    if no_gpu and "gpu" in runners:
        raise SnippetError(f"{where}: no_gpu says why there is no gpu capture, but runners names gpu")
    if not runners:
        raise SnippetError(f"{where}: runners is empty: nothing would ever run this snippet")
    if raises is not None and not raises.isidentifier():
        raise SnippetError(f"{where}: raises = {raises!r} is not the plain name of an exception")
    if not (timeout > 0 and math.isfinite(timeout)):
        raise SnippetError(f"{where}: timeout = {timeout} is not a positive number of seconds")
    if speeds and "gpu" not in runners:
        raise SnippetError(f"{where}: speed is of a GPU run, but runners are {', '.join(runners)}")
    return Settings(runners, raises, timeout, bundle, labels, differs, rejects, no_gpu, ptx, speeds)


def _speed(where: str, name: str, entry: object) -> Speed:
    keys = [key.name for key in fields(Speed)][1:]
    if not isinstance(entry, dict) or set(entry) != set(keys) or not all(isinstance(v, str) for v in entry.values()):
        raise SnippetError(f'{where}: speed "{name}" needs exactly these, each a string: {", ".join(keys)}')
    return Speed(name, **entry)


def _label(where: str, name: str, entry: object) -> Label:
    if set(name) & set("[]"):
        raise SnippetError(
            f'{where}: label "{name}": on a page, brackets enclose a reference to a value; print a label without them'
        )
    if not isinstance(entry, dict):
        raise SnippetError(f'{where}: label "{name}" needs a table, such as {{ kind = "volatile" }}')
    entry = dict(entry)
    kind = entry.pop("kind", None)
    limit, within = entry.pop("limit", None), entry.pop("within", None)
    if kind not in KINDS:
        raise SnippetError(f'{where}: label "{name}": kind = {kind!r} is none of {", ".join(KINDS)}')
    if entry:
        raise SnippetError(f'{where}: label "{name}": unknown key {next(iter(entry))!r}')
    for key, value, owner in (("limit", limit, "bound"), ("within", within, "measured")):
        if (value is not None) != (kind == owner):
            raise SnippetError(f'{where}: label "{name}": {key} belongs to kind "{owner}", which needs it')
        if value is not None and not _is_positive(value):
            raise SnippetError(f'{where}: label "{name}": {key} = {value!r} is not a positive number')
    return Label(name, kind, limit, within)


def _is_positive(value: object) -> bool:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return number and value > 0 and math.isfinite(value)


def _noun(kind: type | tuple[type, ...]) -> str:
    names = {list: "list", str: "string", dict: "table"}
    return names.get(kind, "number")
