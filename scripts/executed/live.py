"""The live preview: run what a save made stale, and let MkDocs show it.

The warm parents stay alive, so that a run costs a fork and not an import. What is under way, or
failed, is noted for the page to say.
"""

import gc
import threading
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer

from executed import capture, judge, notes, run, runners
from executed.assemble import assemble
from executed.discover import Repository, discover
from executed.judge import State
from executed.snippet import Snippet, SnippetError

_SETTLE_SECONDS = 0.02
"""How long files must be left alone: an editor writes several for one save."""
_SAY_AFTER_SECONDS = 1.0
"""A run that takes longer is announced on the page; a shorter one is over before that is read."""

def serve(root: Path) -> None:
    """Serve the book, and keep it fresh while its author writes, until interrupted."""
    from mkdocs.commands.serve import serve as serve_site

    gc.enable()  # It goes on for hours.
    with ExitStack() as stack:
        notes.follow.append(lambda changed: stack.enter_context(Live(root, changed)))
        serve_site(config_file=str(root / "mkdocs.yml"))


class Live:
    """Watches the snippets of a repository and keeps their captures fresh."""

    def __init__(self, root: Path, changed: Callable[[], None]):
        """``changed`` is called whenever a page may look different."""
        self.root = root
        self.changed = changed
        self._saved = threading.Event()
        self._ended = False
        self._seen: dict[str, str] = {}
        self._thread = threading.Thread(target=self._follow, daemon=True)
        self._observer = Observer()

    def __enter__(self) -> "Live":
        handler = FileSystemEventHandler()
        handler.on_any_event = self._on_event
        self._observer.schedule(handler, str(self.root / "snippets"), recursive=True)
        self._observer.start()
        self._saved.set()  # What is stale already is run at once.
        self._thread.start()
        return self

    def __exit__(self, *_) -> None:
        self._ended = True
        self._saved.set()
        self._observer.stop()
        self._thread.join()

    def _on_event(self, event: FileSystemEvent) -> None:
        touched = (event.src_path, getattr(event, "dest_path", ""))
        writes = event.event_type in ("created", "modified", "moved", "deleted")
        if writes and any(str(path).endswith((".py", ".mojo")) for path in touched):
            self._saved.set()

    def _follow(self) -> None:
        # A device is not to be held, nor a clock to be read, while somebody writes.
        usable = [runner for runner in runners.RUNNERS.values() if not runner.times and not runner.lacks()]
        with run.parents(usable) as parents:
            while not self._ended:
                self._saved.wait()
                self._saved.clear()
                while not self._ended and self._saved.wait(_SETTLE_SECONDS):
                    self._saved.clear()
                if not self._ended:
                    self._refresh(parents)

    def _refresh(self, parents: dict) -> None:
        """Run what is stale: first what was saved, under the quickest runner, and show that at once."""
        repository = discover(self.root)
        pins = runners.pins(self.root)
        saved = {name for name, snippet in repository.snippets.items() if self._seen.get(name) != snippet.text}
        self._seen = {name: snippet.text for name, snippet in repository.snippets.items()}
        notes.said.clear()
        due = [
            (name, snippet) for name in parents for snippet in repository.snippets.values()
            if name in snippet.settings.runners and not judge.look(repository, snippet, name, pins).fresh
        ]
        notes.said.update({(snippet.name, name): "running" for name, snippet in due})
        announce = threading.Timer(_SAY_AFTER_SECONDS, self.changed)
        announce.start()
        for here in (True, False):
            for name in parents:
                snippets = [s for runner, s in due if runner == name and (s.name in saved) is here]
                if snippets and not self._saved.is_set():  # A new save makes the rest stale once more.
                    self._run(repository, pins, name, snippets, parents)
                    self.changed()
        announce.cancel()
        self.changed()

    def _run(self, repository: Repository, pins: dict, name: str, snippets: list[Snippet], parents: dict) -> None:
        programs = []
        for snippet in snippets:
            try:
                programs.append(run.Program(snippet, assemble(repository, snippet), runners.RUNNERS[name]))
            except SnippetError as error:
                notes.said[snippet.name, name] = str(error)
        try:
            for result in run.run(programs, kept=parents):
                verdict = judge.weigh(repository, result, pins)
                notes.said.pop((verdict.snippet, name), None)
                if verdict.renewed is not None:
                    path = repository.snippets[verdict.snippet].capture_path(name)
                    capture.write(path, capture.format_capture(verdict.renewed))
                elif verdict.state is State.FAILED:
                    last = "\n".join((verdict.printed or "").rstrip("\n").split("\n")[-12:])
                    notes.said[verdict.snippet, name] = f"{verdict.reason}\n{last}"
        except run.RunError as error:
            notes.said.update({(program.snippet.name, name): str(error) for program in programs})
