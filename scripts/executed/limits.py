"""What a program may use, and how it is stopped. Every limit stands here.

The time limit of a snippet is its own setting; the rest holds for all.
"""

import ctypes
import os
import signal
import sys
from collections.abc import Collection
from pathlib import Path

POLL_SECONDS = 0.01
"""How often a running program is looked at."""
OUTPUT_BYTES = 4 << 20
MEMORY_BYTES = 8 << 30
"""Resident memory of a program and of all that it started."""
PROCESSES = 64
"""Processes of a program, itself among them."""

TAG = "EXECUTED_RUN"
"""Environment variable that marks a program, and so whatever it starts."""
LOOK_EVERY = 0.2
"""Seconds between two looks at memory and processes: those cost more than a look at the clock."""
LOOK_AT_TIMED_EVERY = 2.0
"""The same for a program that measures times, which a look would disturb."""


def exceeded(pid: int, job: dict, seconds: float) -> str | None:
    """Which limit a running program is over, in words; None where it is within all."""
    if seconds > job["timeout"]:
        return f"timed out after {job['timeout']:g} s"
    if os.path.getsize(job["output"]) > OUTPUT_BYTES:
        return f"printed more than {OUTPUT_BYTES >> 20} MiB"
    if seconds - job.get("looked", 0.0) < job["look_every"]:
        return None
    job["looked"] = seconds
    processes = family(pid, job["tag"])
    if len(processes) > PROCESSES:
        return f"started more than {PROCESSES} processes"
    if sum(map(_resident, processes)) > MEMORY_BYTES:
        return f"used more than {MEMORY_BYTES >> 30} GiB of memory"
    return None


def end(pid: int, tag: str) -> None:
    """End a program and every process that it started."""
    end_group(pid)
    # Killed one by one, a fork bomb could outrun this; stopped first, it cannot.
    for sent in (signal.SIGSTOP, signal.SIGKILL):
        for process in family(pid, tag):
            try:
                os.kill(process, sent)
            except (ProcessLookupError, PermissionError):
                pass


def end_group(pid: int) -> None:
    """End what a program started and left in its own process group."""
    try:
        os.killpg(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass


def adopt_orphans() -> None:
    """Make this process the parent of what its children leave behind, so that it can be ended."""
    if sys.platform == "linux":
        PR_SET_CHILD_SUBREAPER = 36
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def die_with_parent() -> None:
    """Let this process end when its parent does, however that ends."""
    if sys.platform == "linux":
        PR_SET_PDEATHSIG = 1
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def end_orphans(kept: Collection[int]) -> None:
    """End every child of this process but those that are ``kept``, and what they started.

    Whatever an ended program left behind is a child of this process by now (``adopt_orphans``).
    """
    for process in _children() - set(kept):
        end(process, tag=str(process))
        try:
            os.waitpid(process, 0)
        except ChildProcessError:
            pass


def _children() -> set[int]:
    mine = os.getpid()
    try:
        return set(map(int, Path(f"/proc/{mine}/task/{mine}/children").read_text().split()))
    except OSError:  # Not every kernel has it.
        return {process for process, parent in _parents().items() if parent == mine}


def _parents() -> dict[int, int]:
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            found[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue  # It ended meanwhile.
    return found


def family(pid: int, tag: str) -> set[int]:
    """A program and all that it started: by descent, by session, or by the tag in the environment.

    Only Linux tells; elsewhere it is the program alone.
    """
    wanted = f"{TAG}={tag}\0".encode()
    parents, found = {}, {pid}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            process = int(folder.name)
            parents[process] = int(fields[1])
            if int(fields[3]) == pid or wanted in (folder / "environ").read_bytes():
                found.add(process)
        except OSError:
            continue  # It ended meanwhile, or belongs to somebody else.
    grown = True
    while grown:
        children = {process for process, parent in parents.items() if parent in found}
        grown = not children <= found
        found |= children
    return found


def _resident(pid: int) -> int:
    """Bytes of memory that a process holds; what several share is divided among them."""
    try:
        return 1024 * int(Path(f"/proc/{pid}/smaps_rollup").read_text().split("Pss:")[1].split()[0])
    except (OSError, IndexError):
        return 0
