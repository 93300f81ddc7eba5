"""What the live preview tells the pages that it serves. Empty in every other build."""

from collections.abc import Callable

said: dict[tuple[str, str], str] = {}
"""Snippet and runner to what is under way, or went wrong, with a run of it."""

follow: list[Callable[[Callable[[], None]], None]] = []
"""What to start once pages are served; it is given the call that makes MkDocs build again."""
