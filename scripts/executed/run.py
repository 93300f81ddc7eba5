"""Run programs under a runner, each in its own process and folder, and yield what they printed."""

import json
import os
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path

from executed import limits
from executed.capture import as_shown
from executed.result import Result
from executed.runners import Runner, command, environment, folders, gpu_driver, installed
from executed.snippet import Snippet

# Asked in a process of its own: whoever opens the device holds memory on it.
_DEVICE = (
    "import torch; p = torch.cuda.get_device_properties(0); "
    "print(p.name, p.gcnArchName if torch.version.hip else f'sm_{p.major}{p.minor}', sep=', ')"
)


class RunError(Exception):
    """The runner itself failed, not a program that it ran."""


def parent(runner: Runner) -> "Warm | Commands":
    """What starts the programs of a runner; to be entered, and kept as long as more may come."""
    return Warm(runner) if runner.program == "python" else Commands(runner)


def run(
    programs: Sequence[tuple[Snippet, str]], runner: Runner, jobs: int | None = None,
    kept: "Warm | Commands | None" = None,
) -> Iterator[Result]:
    """Run each ``(snippet, program text)`` and yield results in the order in which they end.

    At most ``jobs`` run at once (default: what the runner allows). ``kept`` is a ``parent`` that is
    there already; without it one is made and ended. Raises ``RunError`` where it cannot start or
    dies.
    """
    if not programs:
        return
    device, versions = describe(runner)
    with tempfile.TemporaryDirectory(prefix="executed-", ignore_cleanup_errors=True) as scratch:
        with nullcontext(kept) if kept else parent(runner) as starter:
            waiting = list(enumerate(programs))
            running: dict[int, tuple[Snippet, Path]] = {}
            while waiting or running:
                while waiting and len(running) < (jobs or runner.jobs):
                    number, (snippet, text) = waiting.pop(0)
                    work = Path(scratch, str(number))
                    starter.start(number, prepare(work, snippet, text, runner))
                    running[number] = (snippet, work)
                outcome = starter.wait([str(s) for s, _ in running.values()])
                snippet, work = running.pop(outcome["id"])
                shown = shown_as(work)
                said = as_shown((work / "said").read_bytes(), shown)
                text = as_shown((work / "output").read_bytes(), shown)
                yield Result(
                    snippet, runner.name, device, versions, outcome["exit"], outcome["stopped"],
                    outcome["seconds"], text, (work / "raised").read_text("utf-8") or None, said,
                )


def prepare(work: Path, snippet: Snippet, text: str, runner: Runner) -> dict:
    """Lay out the folder of one run, and return the job that describes it."""
    folder = work / "run"
    own = folders(work)
    for path in (folder, *map(Path, own.values())):
        path.mkdir(parents=True, exist_ok=True)
    program = folder / snippet.file
    program.write_text(text, encoding="utf-8", newline="\n")
    for name in ("output", "said", "raised"):
        (work / name).touch()
    # A launch computes nothing without a device, so what the program prints then is no capture.
    facts = not snippet.prints(runner.name)
    return {
        "program": str(program),
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
        "environment": environment(runner) | own | {limits.TAG: str(work)},
        "tag": str(work),
    }


def shown_as(work: Path) -> dict[str, str]:
    """The folders of this machine that a program may print, and what a capture shows instead."""
    shown = {f"{work / 'run'}/": "", str(work / "run"): ".", str(work): "/tmp"}
    for name in ("purelib", "platlib"):
        shown[sysconfig.get_path(name)] = "site-packages"
    shown[sysconfig.get_path("stdlib")] = "lib/python"
    shown[f"{Path(sys.executable).parent}/"] = ""
    shown[str(Path(__file__).resolve().parents[2])] = "."
    return shown | {os.path.realpath(path): text for path, text in shown.items() if not path.endswith("/")}


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


class Warm:
    """The warm parent process, and the two pipes to it."""

    def __init__(self, runner: Runner):
        self.runner = runner

    def __enter__(self) -> "Warm":
        here, there = os.pipe()
        code = Path(__file__).resolve().parent.parent
        self.process = subprocess.Popen(
            [sys.executable, "-m", "executed.warm", str(there)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            pass_fds=[there],
            env=environment(self.runner) | {"PYTHONPATH": str(code)},
        )
        os.close(there)
        self.replies = open(here, encoding="utf-8")
        self.ready = False
        return self

    def __exit__(self, *_) -> None:
        self.process.stdin.close()
        self.replies.close()
        self.process.stderr.close()
        self.process.terminate()
        self.process.wait()

    def start(self, number: int, job: dict) -> None:
        if not self.ready:  # Only now: several parents import at once while nobody waits.
            self.ready = bool(self.wait([]))
        self.process.stdin.write(json.dumps(job | {"id": number}).encode() + b"\n")
        self.process.stdin.flush()

    def wait(self, running: list[str]) -> dict:
        line = self.replies.readline()
        if not line:
            code = self.process.wait()
            said = self.process.stderr.read().decode(errors="replace").strip()
            during = f" while running {', '.join(running)}" if running else ""
            raise RunError(f"runner {self.runner.name}: the parent process ended with {code}{during}\n{said}")
        return json.loads(line)


class Commands:
    """Runs each program by a command of its own, behind the same two methods as ``Warm``."""

    def __init__(self, runner: Runner):
        self.command = command(runner)
        self.running: dict[int, tuple[subprocess.Popen, dict, float]] = {}

    def __enter__(self) -> "Commands":
        return self

    def __exit__(self, *_) -> None:
        for process, job, _ in self.running.values():
            limits.end(process.pid, job["tag"])

    def start(self, number: int, job: dict) -> None:
        with open(job["output"], "ab") as output:
            process = subprocess.Popen(
                [self.command, job["program"]], cwd=job["folder"], env=job["environment"],
                stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True,
            )
        self.running[number] = process, job, time.monotonic()

    def wait(self, running: list[str]) -> dict:
        while True:
            for number, (process, job, started) in self.running.items():
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
                return {"id": number, "exit": process.returncode, "stopped": stopped, "seconds": seconds}
            time.sleep(limits.POLL_SECONDS)
