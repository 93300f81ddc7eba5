"""A sample of ``tests/soak.py`` and of ``tests/mutate.py``; the whole of both runs on request."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    "command",
    [["soak.py", "--runs", "1", "--seed", "1"], ["mutate.py", "--sample", "40", "--seed", "1"]],
    ids=["false alarms", "mutants"],
)
def test_sample(root, command):
    done = subprocess.run(
        [sys.executable, root / "tests" / command[0], *command[1:]], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
