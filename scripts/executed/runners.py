"""The table of runners: under which environment each runs a program, and what it needs."""

import importlib.metadata
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

PACKAGES = ("torch", "triton", "numpy")
"""Packages whose versions can change an output; each capture names them."""


@dataclass(frozen=True)
class Runner:
    """One way to run a program, and what a run under it proves."""

    name: str
    title: str
    """What a tab on a page is called."""
    proves: str
    environment: dict[str, str] = field(default_factory=dict)
    jobs: int = 1
    """How many programs run at once; those that may give a time run alone all the same."""
    pinned: bool = True
    """Whether it must run the versions that ``requirements.txt`` pins."""
    packages: tuple[str, ...] = PACKAGES
    """Packages that it needs, and whose versions its captures name."""
    times: bool = False
    """Whether what it prints may give a time: never while the interpreter is on."""
    on_request: bool = False
    """Whether it runs only where ``--runner`` names it."""
    program: str = "python"
    """What runs a program: ``python`` is a fork of the warm parent, anything else a command."""

    @property
    def command(self) -> str:
        """What a reader types before the file's name to run it the same way."""
        shown = {"TRITON_INTERPRET"}
        prefix = " ".join(f"{k}={v}" for k, v in self.environment.items() if k in shown and v == "1")
        return f"{prefix} {self.program}".lstrip()

    def lacks(self) -> str | None:
        """What this machine lacks to run it, in words; None where it lacks nothing."""
        for package in self.packages:
            if installed(package) is None:
                return f"{package} is not installed"
        if self.name == "gpu" and not shutil.which("nvidia-smi") and not Path("/dev/kfd").exists():
            return "no GPU"
        if self.name == "gpu" and gpu_driver() is None:
            return "no GPU answers"
        return None


RUNNERS = {
    runner.name: runner
    for runner in (
        Runner(
            "interpreter",
            "Interpreter",
            "what the kernel computes",
            {"TRITON_INTERPRET": "1", "CUDA_VISIBLE_DEVICES": "", "HIP_VISIBLE_DEVICES": ""},
            jobs=os.cpu_count() or 1,
        ),
        Runner(
            "compiler",
            "Compiled",
            "that it compiles for four GPUs, and to what",
            {"TRITON_INTERPRET": "0", "CUDA_VISIBLE_DEVICES": "", "HIP_VISIBLE_DEVICES": ""},
            jobs=os.cpu_count() or 1,
        ),
        Runner(
            "gpu",
            "GPU",
            "what it does on the named device, and how fast",
            {"TRITON_INTERPRET": "0"},
            jobs=min(4, os.cpu_count() or 1),
            pinned=False,
            times=True,
        ),
        Runner(
            "replay",
            "Replay",
            "which program touches which element",
            {"TRITON_INTERPRET": "1", "CUDA_VISIBLE_DEVICES": "", "HIP_VISIBLE_DEVICES": ""},
            jobs=os.cpu_count() or 1,
        ),
        Runner(
            "mojo",
            "Mojo",
            "what the other language of a comparison does",
            {"MODULAR_CRASH_REPORTING_ENABLED": "false", "MODULAR_TELEMETRY_ENABLED": "false"},
            pinned=False,
            packages=("mojo",),
            program="mojo",
        ),
        Runner(
            "bench",
            "This engine",
            "how long the engine itself takes, against other tools",
            {"PYTHONPATH": str(Path(__file__).resolve().parents[1])},
            pinned=False,
            packages=("mkdocs", "markdown-exec", "mkdocs-jupyter", "torch", "triton"),
            times=True,
            on_request=True,
            program="python3",
        ),
    )
}
"""Name to runner, in the order in which a page shows them."""

# Dropped from the environment of a run: each can change what a program prints.
_DROPPED = ("PYTHON", "TRITON_", "TORCH", "OMP_", "MKL_")
# Kept nevertheless: varying them is how the suite shows that captures do not depend on them.
_KEPT = ("OMP_NUM_THREADS",)


def command(runner: Runner) -> str:
    """Path of the command that runs ``runner``'s programs, beside this Python where it is there."""
    beside = Path(sys.executable).with_name(runner.program)
    return str(beside) if beside.exists() else shutil.which(runner.program) or runner.program


def environment(runner: Runner) -> dict[str, str]:
    """The environment in which ``runner``'s programs run, the folders of each run left out."""
    inherited = {k: v for k, v in os.environ.items() if k in _KEPT or not k.startswith(_DROPPED)}
    fixed = {
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "TERM": "dumb",
        "NO_COLOR": "1",
        "COLUMNS": "80",
        "PYTHONHASHSEED": "0",
        "PYTHONUTF8": "1",
        "PYTHONUNBUFFERED": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        # Carets below a traceback's lines differ between Python versions.
        "PYTHONNODEBUGRANGES": "1",
        # One worker: a pool would outlive the program that started it.
        "TORCHINDUCTOR_COMPILE_THREADS": "1",
        # Pasted into no capture: warnings name paths and differ between machines.
        "PYTHONWARNINGS": "ignore",
    }
    threads = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"} | {k: v for k, v in inherited.items() if k == "OMP_NUM_THREADS"}
    return inherited | fixed | threads | runner.environment


def folders(work: Path) -> dict[str, str]:
    """The variables that keep everything a program writes inside its own folder."""
    return {
        "HOME": str(work / "home"),
        "TMPDIR": str(work / "tmp"),
        "XDG_CACHE_HOME": str(work / "home" / ".cache"),
        "TRITON_CACHE_DIR": str(work / "triton"),
        "TORCHINDUCTOR_CACHE_DIR": str(work / "inductor"),
    }


def gpu_driver() -> str | None:
    """Version of the GPU's driver, or None where there is none to ask."""
    try:
        answer = subprocess.run(
            ["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"],
            capture_output=True, text=True, timeout=30,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    lines = answer.stdout.split("\n")
    return lines[0].strip() if answer.returncode == 0 and lines[0].strip() else None


def installed(package: str) -> str | None:
    """The installed version of a package, build tags (``+cpu``) left out."""
    try:
        return importlib.metadata.version(package).split("+")[0]
    except importlib.metadata.PackageNotFoundError:
        return None


def pins(root: Path) -> dict[str, str]:
    """The versions that ``requirements.txt`` pins, of the packages that captures name."""
    found = {}
    for line in (root / "requirements.txt").read_text(encoding="utf-8").splitlines():
        name, equals, version = line.split("#")[0].split(";")[0].strip().partition("==")
        if equals and name in PACKAGES:
            found[name] = version.strip()
    return found
