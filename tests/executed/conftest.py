"""A repository of a few small files for the tests of the engine."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import settings

from executed.capture import Capture, format_capture, write
from executed.digest import source_digest
from executed.discover import Repository, discover

settings.register_profile("executed", deadline=None, max_examples=60)
settings.load_profile("executed")

MakeRepository = Callable[[dict[str, str | bytes]], Repository]
MakeCapture = Callable[..., Capture]


@pytest.fixture
def repo(tmp_path) -> MakeRepository:
    """``repo({"snippets/ch01/a.py": "…", "docs/page.md": "…"})`` writes the files and discovers."""

    def make(files: dict[str, str | bytes]) -> Repository:
        for name, content in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return discover(tmp_path)

    return make


@pytest.fixture
def put() -> MakeCapture:
    """``put(repository, "ch01/a", text="…")`` commits a capture that is fresh unless told otherwise."""

    def make(repository: Repository, name: str, runner: str = "interpreter", **fields) -> Capture:
        snippet = repository.snippets[name]
        capture = Capture(
            snippet=name,
            runner=runner,
            device="NVIDIA H200, sm_90, driver 1" if runner == "gpu" else "CPU",
            versions="python 3.11, torch 2.13.0",
            exit=f"1 ({snippet.settings.raises})" if snippet.settings.raises else "0",
            source=source_digest(repository, snippet, runner),
            text="",
        )
        capture = replace(capture, **fields)
        write(Path(snippet.capture_path(runner)), format_capture(capture))
        return capture

    return make
