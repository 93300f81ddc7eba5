"""Compile every kernel that a program launches, for GPUs that this machine does not have.

Loaded only in the process that runs a program under the ``compiler`` runner. Launches compute
nothing there: a driver without a device takes them, so tensors keep whatever they held. What a
program prints is therefore dropped, and what the compilers made of its launches is told instead.
"""

import atexit
import re
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import torch
import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource, make_backend
from triton.runtime.driver import driver
from triton.runtime.jit import JITFunction, create_function_from_signature

TARGETS = {
    "sm_80": GPUTarget("cuda", 80, 32),
    "sm_90": GPUTarget("cuda", 90, 32),
    "sm_100": GPUTarget("cuda", 100, 32),
    "gfx942": GPUTarget("hip", "gfx942", 64),
}
CURRENT = "sm_90"
"""The target that the program itself sees."""

_CUOBJDUMP = Path(triton.__file__).parent / "backends" / "nvidia" / "bin" / "cuobjdump"
_PTX_ACCESS = re.compile(r"^\s*(?:@!?%p\d+\s+)?(ld|st)\.global(?P<modes>[.\w:]*)\s", re.MULTILINE)
_PTX_ASYNC = re.compile(r"^\s*(?:@!?%p\d+\s+)?cp\.async\.c[ag]\.shared\.global[.\w:]*\s[^,]*,[^,]*, (?:0x)?(\w+)", re.MULTILINE)
_PTX_MATRIX = re.compile(r"^\s*(?:@!?%p\d+\s+)?(mma\.sync|wgmma\.mma_async|tcgen05\.mma)\b", re.MULTILINE)
_GCN_ACCESS = re.compile(r"^\s*(?:global|buffer|flat)_(load|store)_(\w+)", re.MULTILINE)
_GCN_MATRIX = re.compile(r"^\s*v_mfma_\w+", re.MULTILINE)
_GCN_BITS = {"dword": 32, "dwordx2": 64, "dwordx3": 96, "dwordx4": 128, "ushort": 16, "sshort": 16, "short": 16,
             "ubyte": 8, "sbyte": 8, "byte": 8}


@dataclass
class Observation:
    """One distinct launch: which kernel, of what types, and what each compiler said."""

    kernel: str
    constants: str
    launch: str
    facts: dict[str, str] = field(default_factory=dict)
    """Target to one line."""
    rejections: dict[str, str] = field(default_factory=dict)
    """Target to the compiler's message."""
    ptx: list[str] = field(default_factory=list)
    """Instructions for ``CURRENT``, each with the line of the kernel that it comes from."""

    @property
    def title(self) -> str:
        return f"{self.kernel}({self.constants})"


def start(report_to: str | None, ptx: list[str]) -> None:
    """Observe this process from now on; at its end, write what was seen to ``report_to``."""
    observer = Observer(ptx)
    observer.install()
    if report_to is not None:
        atexit.register(lambda: Path(report_to).write_text(observer.report(), encoding="utf-8"))


class Observer:
    """Stands between a program and Triton's launcher, and collects what is compiled."""

    def __init__(self, ptx: list[str]):
        self.listed = set(ptx)
        self.seen: dict[str, Observation] = {}
        self._backends = {name: make_backend(target) for name, target in TARGETS.items()}
        self._launch = JITFunction.run

    def install(self) -> None:
        """Take the place of the GPU's driver and of the launcher."""
        observer = self
        driver.set_active(_NoDevice())

        def run(function, *args, grid, warmup, **kwargs):
            observer.observe(function, args, kwargs)
            return observer._launch(function, *args, grid=grid, warmup=warmup, **kwargs)

        JITFunction.run = run

    def observe(self, function: JITFunction, args: tuple, kwargs: dict) -> None:
        """Compile one launch for every target, unless one like it was compiled before."""
        options = {"debug": bool(function.debug), "instrumentation_mode": triton.knobs.compilation.instrumentation_mode}
        kwargs = options | kwargs
        for name, target in TARGETS.items():
            backend = self._backends[name]
            binder = create_function_from_signature(function.signature, function.params, backend)
            try:
                bound, specialization, rest = binder(*args, **kwargs)
            except TypeError:
                return  # The launch itself raises it again, for the program to see.
            if name == next(iter(TARGETS)):
                chosen = backend.parse_options(kwargs)
                seen = self._entry(function, bound, specialization, chosen)
                if seen is None:
                    return
            try:
                options, signature, constexprs, attrs = function._pack_args(backend, kwargs, bound, specialization, rest)
                source = ASTSource(function, signature, constexprs, attrs)
                compiled = triton.compile(source, target=target, options=options.__dict__)
                seen.facts[name] = facts(compiled, target)
                if name == CURRENT and seen.title in self.listed:
                    seen.ptx = listing(compiled.asm["ptx"], function.starting_line_number)
            except Exception as error:  # Whatever the compiler raises is the fact to tell.
                seen.rejections[name] = f"{type(error).__name__}: {error}".strip()

    def _entry(self, function: JITFunction, bound: dict, specialization: list, options) -> Observation | None:
        """A new entry for a launch, or None where one like it is there."""
        constants, types = [], []
        for (name, value), (kind, how) in zip(bound.items(), specialization):
            if kind == "constexpr":
                shown = str(getattr(value, "__name__", value))
                # One line, whatever a string holds.
                constants.append(f"{name}={shown.encode('unicode_escape').decode()}")
            else:
                types.append(f"{name} {_typed(kind, how)}")
        chosen = [f"{key}={getattr(options, key)}" for key in ("num_warps", "num_stages", "num_ctas")]
        key = f"{function.cache_key} {constants} {types} {options}"
        if key in self.seen:
            return None
        launch = ", ".join([*types, *chosen])
        self.seen[key] = Observation(function.__name__, ", ".join(constants), launch)
        return self.seen[key]

    def report(self) -> str:
        """All that was observed, as the text of a capture."""
        if not self.seen:
            return "no kernel is launched\n"
        lines: list[str] = []
        used: dict[str, int] = {}
        for seen in self.seen.values():
            used[seen.title] = used.get(seen.title, 0) + 1
            again = f" #{used[seen.title]}" if used[seen.title] > 1 else ""
            lines.append(f"== {seen.title}{again} ==")
            lines.append(f"launch: {seen.launch}")
            told: dict[str, str] = {}
            for name in TARGETS:
                if name in seen.facts:
                    lines.append(f"{name}: {seen.facts[name]}")
                    continue
                message = seen.rejections[name]
                if message in told:
                    lines.append(f"{name}: rejected, as for {told[message]}")
                else:
                    told[message] = name
                    lines += [f"{name}: rejected", *(f"    {line}".rstrip() for line in message.split("\n"))]
            lines += seen.ptx
        return "\n".join(lines) + "\n"


def _typed(kind, how) -> str:
    """The type of an argument, and what the launch knows of its value; a tuple's in brackets."""
    if isinstance(kind, tuple):
        return "(" + ", ".join(_typed(*item) for item in zip(kind, how)) + ")"
    return kind + (" divisible by 16" if "D" in (how or "") else "")


def facts(compiled, target: GPUTarget) -> str:
    """What one compiled kernel needs and does, in one line of ``name value`` pairs."""
    if target.backend == "cuda":
        registers, spilled = _resources(compiled.asm["cubin"])
        ptx = compiled.asm["ptx"]
        loads = [_ptx_bits(m["modes"]) for m in _PTX_ACCESS.finditer(ptx) if m[1] == "ld"]
        loads += [8 * int(m[1], 16 if "0x" in m[0] else 10) for m in _PTX_ASYNC.finditer(ptx)]
        stores = [_ptx_bits(m["modes"]) for m in _PTX_ACCESS.finditer(ptx) if m[1] == "st"]
        matrix = [m[1] for m in _PTX_MATRIX.finditer(ptx)]
    else:
        code = compiled.asm["amdgcn"]
        registers, spilled = _gcn_number(code, "vgpr_count"), 4 * _gcn_number(code, "vgpr_spill_count")
        accesses = [(m[1], _GCN_BITS.get(m[2].removesuffix("_d16").removesuffix("_d16_hi"), 0))
                    for m in _GCN_ACCESS.finditer(code)]
        loads = [bits for kind, bits in accesses if kind == "load"]
        stores = [bits for kind, bits in accesses if kind == "store"]
        matrix = [m[0].strip() for m in _GCN_MATRIX.finditer(code)]
    return (
        f"shared {compiled.metadata.shared} B, registers {registers}, spilled {spilled} B, "
        f"loads {_counted(loads)}, stores {_counted(stores)}, matrix {_named(matrix)}"
    )


def listing(ptx: str, first_line: int) -> list[str]:
    """The instructions of a kernel, each as ``line| instruction``.

    ``line`` counts from the kernel's decorator (1) by PTX's own ``.loc`` records; code that was
    inlined belongs to the line that called it, and 0 stands for code of no line.
    """
    lines, current = [f"ptx for {CURRENT}:"], 0
    for row in ptx[ptx.index("{") :].split("\n"):
        row = row.split("//")[0].strip()
        if match := re.match(r"\.loc\s+(\d+) (\d+)", row):
            inlined = re.search(r"inlined_at (\d+) (\d+)", row)
            file, line = (inlined or match).groups()
            current = int(line) - first_line + 1 if file == "1" and int(line) >= first_line else current
        elif row.endswith(";") and not row.startswith("."):
            lines.append(f"{current:4d}| {re.sub(chr(92) + 's+', ' ', row)}")
    return lines


def _resources(cubin: bytes) -> tuple[int, int]:
    """Registers a thread, and bytes of stack a thread, by NVIDIA's own tool."""
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        file.write(cubin)
        file.flush()
        said = subprocess.run([_CUOBJDUMP, "-res-usage", file.name], capture_output=True, text=True, check=True).stdout
    numbers = dict(re.findall(r"\b(REG|STACK|LOCAL):(\d+)", said))
    return int(numbers["REG"]), max(int(numbers["STACK"]), int(numbers["LOCAL"]))


def _ptx_bits(modes: str) -> int:
    vector = re.search(r"\.v(\d)", modes)
    width = re.search(r"\.[bfus](\d+)$", modes)
    return (int(vector[1]) if vector else 1) * int(width[1])


def _gcn_number(code: str, key: str) -> int:
    return int(re.search(rf"\.{key}:\s+(\d+)", code)[1])


def _counted(widths: list[int]) -> str:
    counts = {width: widths.count(width) for width in sorted(set(widths), reverse=True)}
    return " + ".join(f"{count} x {width} bit" for width, count in counts.items()) or "0"


def _named(instructions: list[str]) -> str:
    counts = {name: instructions.count(name) for name in sorted(set(instructions))}
    return " + ".join(f"{count} x {name}" for name, count in counts.items()) or "0"


class _NoDevice:
    """A driver whose device does nothing: it names a target, and takes launches."""

    class utils:
        @staticmethod
        def load_binary(name, kernel, shared, device):
            registers, spilled = _resources(kernel)
            return None, None, registers, spilled // 4, 1024

        @staticmethod
        def get_device_properties(device):
            return {"max_shared_mem": 232448, "multiprocessor_count": 132, "warpSize": 32}

    @staticmethod
    def launcher_cls(source, metadata):
        return lambda *args, **kwargs: None

    def get_current_target(self):
        return TARGETS[CURRENT]

    def get_current_device(self):
        return 0

    def get_current_stream(self, device):
        return 0

    def get_active_torch_device(self):
        return torch.device("cpu")

    def get_benchmarker(self):
        def once(call, *, quantiles=None, **_):
            call()
            return [1.0] * len(quantiles or [0.5])

        return once

    def get_empty_cache_for_benchmark(self):
        return torch.empty(0)

    def clear_cache(self, cache):
        pass
