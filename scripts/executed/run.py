"""Run programs under a runner, each in its own process and folder, and yield what they printed."""

import json
import os
import selectors
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from executed import limits
from executed.capture import as_shown
from executed.result import Result
from executed.runners import Runner, command, environment, folders, gpu_driver, installed
from executed.snippet import Snippet

CORES = os.cpu_count() or 1
"""How many programs run at once, of all runners together."""

_SHARED_MEMORY = "/dev/shm"
_MEMORY_FREE = 4 << 30

# Asked in a process of its own: whoever opens the device holds memory on it.
_DEVICE = (
    "import torch; p = torch.cuda.get_device_properties(0); "
    "print(p.name, p.gcnArchName if torch.version.hip else f'sm_{p.major}{p.minor}', sep=', ')"
)


class RunError(Exception):
    """The runner itself failed, not a program that it ran."""


@dataclass(frozen=True)
class Program:
    """One run to make: a snippet's self-contained text, under one runner."""

    snippet: Snippet
    text: str
    runner: Runner

    @property
    def alone(self) -> bool:
        """Whether nothing may run beside it: what it prints may be a time, or depend on who else is there."""
        return self.runner.times and (self.runner.on_request or bool(self.snippet.settings.labels))


@contextmanager
def parents(runners: Collection[Runner]) -> Iterator["dict[str, Branch | Commands]"]:
    """What starts the programs of each runner, by its name; kept as long as more may come.

    Python's runners share one process that imports torch, and a branch of it where they share an
    environment too.
    """
    warm = {r.name: environment(r) for r in runners if r.program == "python"}
    environments = list({tuple(sorted(e.items())): e for e in warm.values()}.values())
    with ExitStack() as stack:
        found: dict[str, Branch | Commands] = {
            r.name: stack.enter_context(Commands(r)) for r in runners if r.name not in warm
        }
        if warm:
            branches = stack.enter_context(_trunk(environments))
            found |= {name: branches[environments.index(e)] for name, e in warm.items()}
        yield found


def run(
    programs: Sequence[Program], *, kept: "dict[str, Branch | Commands] | None" = None
) -> Iterator[Result]:
    """Run programs, in their order as far as their runners allow, and yield results as they end.

    ``kept`` are ``parents`` that are there already; without it they are made and ended. Raises
    ``RunError`` where one cannot start or dies.
    """
    if not programs:
        return
    used = {program.runner.name: program.runner for program in programs}
    described = {name: describe(runner) for name, runner in used.items()}
    with ExitStack() as stack:
        folder = tempfile.TemporaryDirectory(prefix="executed-", dir=_memory(), ignore_cleanup_errors=True)
        scratch = stack.enter_context(folder)
        starters = kept or stack.enter_context(parents(used.values()))
        waiting = dict(enumerate(programs))
        running: dict[int, Program] = {}
        while waiting or running:
            while (number := _startable(waiting, running)) is not None:
                program = running[number] = waiting.pop(number)
                job = prepare(Path(scratch, str(number)), program) | {"id": number}
                try:
                    starters[program.runner.name].start(job)
                except BrokenPipeError:
                    pass  # What ended it is told where its outcomes are read.
            busy = {starters[program.runner.name] for program in running.values()}
            for starter, outcome in _outcomes(busy):
                if "ended" in outcome:
                    during = [p for p in running.values() if starters[p.runner.name] is starter]
                    raise RunError(
                        f"runner {during[0].runner.name}: the parent process ended with {outcome['ended']} "
                        f"while running {', '.join(str(p.snippet) for p in during)}\n{outcome['said']}"
                    )
                program = running.pop(outcome["id"])
                work = Path(scratch, str(outcome["id"]))
                shown = shown_as(work)
                yield Result(
                    program.snippet, program.runner.name, *described[program.runner.name],
                    outcome["exit"], outcome["stopped"], outcome["seconds"],
                    as_shown((work / "output").read_bytes(), shown), (work / "raised").read_text("utf-8") or None,
                    as_shown((work / "said").read_bytes(), shown),
                )


def _memory() -> str | None:
    """A folder in memory where programs can run; None where there is none, for the usual one.

    On a disk, making a program's folders can take longer than the program.
    """
    if "TMPDIR" in os.environ or not os.access(_SHARED_MEMORY, os.W_OK):
        return None
    system = os.statvfs(_SHARED_MEMORY)
    # What Triton builds for a launch is loaded from there.
    runs = not system.f_flag & os.ST_NOEXEC
    return _SHARED_MEMORY if runs and system.f_bavail * system.f_frsize >= _MEMORY_FREE else None


def _startable(waiting: dict[int, Program], running: dict[int, Program]) -> int | None:
    """The first program that may start beside those that run; None where none may."""
    if len(running) >= CORES or any(program.alone for program in running.values()):
        return None
    for number, program in waiting.items():
        beside = sum(other.runner is program.runner for other in running.values())
        if beside < program.runner.jobs and not (program.alone and running):
            return number
    return None


def _outcomes(starters: "Collection[Branch | Commands]") -> "list[tuple[Branch | Commands, dict]]":
    """Wait until at least one program ends, and return what became of each that did."""
    with selectors.DefaultSelector() as selector:
        for starter in starters:
            if isinstance(starter, Branch):
                selector.register(starter.outcomes, selectors.EVENT_READ)
        polled = any(isinstance(starter, Commands) for starter in starters)
        while True:
            readable = {key.fileobj for key, _ in selector.select(limits.POLL_SECONDS if polled else None)}
            found = []
            for starter in starters:
                if isinstance(starter, Commands) or starter.outcomes in readable:
                    found += [(starter, outcome) for outcome in starter.ended()]
            if found:
                return found


def prepare(work: Path, program: Program) -> dict:
    """Lay out the folder of one run, and return the job that describes it."""
    snippet, runner = program.snippet, program.runner
    folder = work / "run"
    own = folders(work)
    for path in (folder, *map(Path, own.values())):
        path.mkdir(parents=True, exist_ok=True)
    file = folder / snippet.file
    file.write_text(program.text, encoding="utf-8", newline="\n")
    for name in ("output", "said", "raised"):
        (work / name).touch()
    # A launch computes nothing without a device, so what the program prints then is no capture.
    facts = not snippet.prints(runner.name)
    return {
        "program": str(file),
        "folder": str(folder),
        "output": str(work / ("said" if facts else "output")),
        "raised": str(work / "raised"),
        # On a device, leaving in order is what flushes what kernels print.
        "quickly": runner.name != "gpu",
        "facts": str(work / "output") if facts else None,
        "ptx": snippet.settings.ptx,
        "observed": runner.name == "compiler",
        "recorded": runner.name == "replay",
        "timeout": snippet.settings.timeout,
        "look_every": limits.LOOK_AT_TIMED_EVERY if program.alone else limits.LOOK_EVERY,
        "environment": environment(runner) | own | {limits.TAG: str(work)},
        "tag": str(work),
    }


def shown_as(work: Path) -> dict[str, str]:
    """The folders of this machine that a program may print, and what a capture shows instead."""
    own = {f"{work / 'run'}/": "", str(work / "run"): ".", str(work): "/tmp"}
    return _INSTALLED | _with_real(own)


def _with_real(shown: dict[str, str]) -> dict[str, str]:
    return shown | {os.path.realpath(path): text for path, text in shown.items() if not path.endswith("/")}


_INSTALLED = _with_real({
    sysconfig.get_path("purelib"): "site-packages",
    sysconfig.get_path("platlib"): "site-packages",
    sysconfig.get_path("stdlib"): "lib/python",
    f"{Path(sys.executable).parent}/": "",
    str(Path(__file__).resolve().parents[2]): ".",
})


def describe(runner: Runner) -> tuple[str, str]:
    """Name the device and the versions that a run under ``runner`` uses."""
    versions = [f"{package} {installed(package)}" for package in runner.packages]
    if runner.program == "python":
        versions.insert(0, f"python {sys.version_info.major}.{sys.version_info.minor}")
    if runner.name == "bench":
        return f"CPU, {os.cpu_count()} cores", ", ".join(versions)
    if runner.name != "gpu":
        return "CPU", ", ".join(versions)
    answer = subprocess.run([sys.executable, "-c", _DEVICE], capture_output=True, text=True)
    if answer.returncode:
        raise RunError(f"torch cannot use the GPU: {answer.stderr.strip()}")
    return f"{answer.stdout.strip()}, driver {gpu_driver()}", ", ".join(versions)


@contextmanager
def _trunk(environments: Sequence[dict[str, str]]) -> "Iterator[list[Branch]]":
    """The process that imports torch, and a ``Branch`` of it for each environment."""
    pipes = [(os.pipe(), os.pipe()) for _ in environments]
    theirs = [(jobs[0], outcomes[1]) for jobs, outcomes in pipes]
    told = [
        {"environment": each, "jobs": jobs, "outcomes": outcomes}
        for each, (jobs, outcomes) in zip(environments, theirs)
    ]
    common = {name: value for name, value in environments[0].items() if all(e.get(name) == value for e in environments)}
    process = subprocess.Popen(
        [sys.executable, "-m", "executed.warm"],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        pass_fds=[descriptor for pair in theirs for descriptor in pair],
        env=common | {"PYTHONPATH": str(Path(__file__).resolve().parent.parent)},
    )
    with process.stdin:
        process.stdin.write(json.dumps(told).encode())
    for descriptor in (descriptor for pair in theirs for descriptor in pair):
        os.close(descriptor)
    branches = [Branch(process, open(jobs[1], "wb", 0), open(outcomes[0], "rb", 0)) for jobs, outcomes in pipes]
    try:
        yield branches
    finally:
        for branch in branches:
            branch.jobs.close()
            branch.outcomes.close()
        process.terminate()
        process.stderr.close()
        process.wait()


class Branch:
    """One warm parent: the two pipes to it, and the process that it is a branch of."""

    def __init__(self, trunk: subprocess.Popen, jobs: IO[bytes], outcomes: IO[bytes]):
        self.trunk = trunk
        self.jobs = jobs
        self.outcomes = outcomes
        self._unread = b""

    def start(self, job: dict) -> None:
        self.jobs.write(json.dumps(job).encode() + b"\n")

    def ended(self) -> list[dict]:
        """The outcomes that can be read by now; the last one may be the end of the branch itself."""
        data = os.read(self.outcomes.fileno(), 1 << 16)
        *lines, self._unread = (self._unread + data).split(b"\n")
        found = [json.loads(line) for line in lines]
        if not data:
            found.append({"ended": self.trunk.wait()})
        if found and "ended" in found[-1]:
            self.trunk.terminate()
            found[-1]["said"] = self.trunk.stderr.read().decode(errors="replace").strip()
        return found


class Commands:
    """Runs each program by a command of its own, behind the same two methods as ``Branch``."""

    def __init__(self, runner: Runner):
        self.command = command(runner)
        self.running: dict[int, tuple[subprocess.Popen, dict, float]] = {}

    def __enter__(self) -> "Commands":
        return self

    def __exit__(self, *_) -> None:
        for process, job, _ in self.running.values():
            limits.end(process.pid, job["tag"])

    def start(self, job: dict) -> None:
        with open(job["output"], "ab") as output:
            process = subprocess.Popen(
                [self.command, job["program"]], cwd=job["folder"], env=job["environment"],
                stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True,
            )
        self.running[job["id"]] = process, job, time.monotonic()

    def ended(self) -> list[dict]:
        """The outcomes of the programs that have ended, or were ended, since the last call."""
        found = []
        for number, (process, job, started) in list(self.running.items()):
            seconds = time.monotonic() - started
            stopped = limits.exceeded(process.pid, job, seconds)
            if stopped is None and process.poll() is None:
                continue
            limits.end(process.pid, job["tag"])
            process.wait()
            if process.returncode > 0:
                # A command that fails is named as what was raised: it has no exceptions to tell.
                Path(job["raised"]).write_text(Path(self.command).name, "utf-8")
            del self.running[number]
            found.append({"id": number, "exit": process.returncode, "stopped": stopped, "seconds": seconds})
        return found
