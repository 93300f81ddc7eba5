"""Puts the engine and the snippets on the path, and turns the interpreter on before triton loads."""

import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "snippets")]
os.environ |= {"TRITON_INTERPRET": "1", "CUDA_VISIBLE_DEVICES": ""}

LONGEST = ("test_browser.py", "test_snippets.py", "test_soak.py", "test_planting.py", "executed/test_cli.py", "test_site.py")
"""Files that take minutes, and begin first: one that began last would be waited for while other cores are idle."""


def pytest_collection_modifyitems(items):
    order = {ROOT / "tests" / name: place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: order.get(item.path, len(order)))


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository."""
    return ROOT
