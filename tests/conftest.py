"""Puts the engine and the snippets on the path, and turns the interpreter on before triton loads."""

import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "snippets")]
os.environ |= {"TRITON_INTERPRET": "1", "CUDA_VISIBLE_DEVICES": ""}


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository."""
    return ROOT
