"""The warm parents: torch is imported once, triton once an environment, and a fork runs each program.

Started as ``python -m executed.warm``; its input is a list in JSON, one object a branch: its
environment, and the descriptors of its two pipes. This process, the trunk, imports torch and forks
one branch for each environment. A branch imports triton, reads one JSON object a line (a job) and
writes one a line (an outcome). Neither has threads, since a fork would lose them, and neither touches a device: CUDA does
not survive a fork either.
"""

import atexit
import ctypes
import gc
import json
import os
import random
import selectors
import sys
import threading
import time
import traceback
import types
import weakref

from executed import limits


def main(branches: list[dict]) -> dict | None:
    """Serve every branch until its jobs end. Returns a job in the child that is to run it, else None."""
    # What imports leave behind is kept for good. To look through it for garbage, again and again while it
    # grows, takes a quarter of the time.
    gc.disable()
    # numpy imports numpy.random when somebody asks for it, which each program would.
    import numpy.random  # noqa: F401
    import torch  # noqa: F401

    grown = {}
    for number, branch in enumerate(branches):
        pid = os.fork()
        if pid == 0:
            limits.die_with_parent()
            others = branches[:number] + branches[number + 1 :]
            for descriptor in [b["outcomes"] for b in others] + [b["jobs"] for b in branches[number + 1 :]]:
                os.close(descriptor)
            return _grow(branch)
        os.close(branch["jobs"])
        grown[pid] = branch
    while grown:
        pid, status = os.wait()
        branch = grown.pop(pid)
        _send(branch["outcomes"], {"ended": os.waitstatus_to_exitcode(status)})
        os.close(branch["outcomes"])
    return None


def _grow(branch: dict) -> dict | None:
    os.environ.update(branch["environment"])
    # What a program would otherwise import at its first kernel, each time anew.
    import triton.compiler.code_generator  # noqa: F401
    import triton.experimental.gluon  # noqa: F401
    import triton.language.extra.libdevice  # noqa: F401

    # What torch would take apart at the end of each program: nobody can see it, and it takes longer than
    # most programs. What a program itself leaves to the end is still done.
    for finalizer in list(weakref.finalize._registry):
        finalizer.atexit = False
    limits.adopt_orphans()
    gc.freeze()
    gc.enable()
    return _serve(branch["jobs"], branch["outcomes"])


def _serve(jobs: int, outcomes: int) -> dict | None:
    running: dict[int, dict] = {}
    waiting = b""
    inputs = selectors.DefaultSelector()
    inputs.register(jobs, selectors.EVENT_READ)
    open_input = True
    while open_input or running:
        ready = {key.fd for key, _ in inputs.select(limits.POLL_SECONDS if running else None)}
        if jobs in ready:
            data = os.read(jobs, 1 << 16)
            if not data:
                open_input = False
                inputs.unregister(jobs)
            *lines, waiting = (waiting + data).split(b"\n")
            for line in lines:
                job = json.loads(line)
                pid = os.fork()
                if pid == 0:
                    limits.die_with_parent()
                    inputs.close()
                    for descriptor in (jobs, outcomes, *(job["end"] for job in running.values() if job["end"])):
                        os.close(descriptor)
                    return job
                running[pid] = job | {"started": time.monotonic(), "stopped": None, "end": _end_of(pid)}
                if running[pid]["end"]:
                    inputs.register(running[pid]["end"], selectors.EVENT_READ)
        for pid in list(running):
            outcome = _look(pid, running[pid])
            if outcome is not None:
                end = running.pop(pid)["end"]
                if end:
                    inputs.unregister(end)
                    os.close(end)
                limits.end_orphans(running)
                _send(outcomes, outcome)
    return None


def _end_of(pid: int) -> int | None:
    """A descriptor that is readable once the process has ended; None where the system has none."""
    return os.pidfd_open(pid) if hasattr(os, "pidfd_open") else None


def _look(pid: int, job: dict) -> dict | None:
    """The outcome of a child that has ended; one that is over a limit is ended here."""
    ended, status = os.waitpid(pid, os.WNOHANG)
    seconds = time.monotonic() - job["started"]
    if not ended:
        if job["stopped"] is None:
            job["stopped"] = limits.exceeded(pid, job, seconds)
            if job["stopped"] is not None:
                limits.end(pid, job["tag"])
        return None
    limits.end_group(pid)
    code = os.waitstatus_to_exitcode(status)
    return {"id": job["id"], "exit": code, "stopped": job["stopped"], "seconds": seconds}


def _send(outcomes: int, message: dict) -> None:
    os.write(outcomes, json.dumps(message).encode() + b"\n")


def _become(job: dict) -> None:
    """Make this child look like a fresh ``python PROGRAM``: group, folder, streams, seeds."""
    os.setsid()
    output = os.open(job["output"], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.close(nothing)
    os.close(output)
    # C's own buffers flush at line ends, so that lines of C and of Python keep their order.
    libc = ctypes.CDLL(None)
    libc.setvbuf(ctypes.c_void_p.in_dll(libc, "stdout"), None, 1, 0)
    sys.stdin = open(0, encoding="utf-8", closefd=False)
    os.environ.clear()
    os.environ.update(job["environment"])
    os.chdir(job["folder"])
    random.seed()
    sys.modules["numpy"].random.seed(int.from_bytes(os.urandom(4), "little"))


def _run(program: str, raised: str, quickly: bool) -> None:
    """Run a program as ``__main__``. An exception is printed as Python would, and ends with 1.

    The name of that exception goes to the file ``raised``: what is printed could be anything.
    """
    sys.argv = [program]
    sys.path[0] = os.path.dirname(program)
    module = types.ModuleType("__main__")
    module.__file__ = program
    module.__builtins__ = __builtins__
    sys.modules["__main__"] = module
    with open(program, encoding="utf-8") as file:
        source = file.read()
    code = 0
    try:
        exec(compile(source, program, "exec"), module.__dict__)
    except SystemExit as ended:
        if not quickly:
            raise
        code = _exit_code(ended.code)
    except BaseException as error:
        with open(raised, "w", encoding="utf-8") as file:
            file.write(type(error).__name__)
        # The frame of this file is none of the program's.
        shown = error.__traceback__.tb_next if error.__traceback__ else None
        if sys.excepthook is sys.__excepthook__:
            traceback.print_exception(type(error), error, shown)
        else:
            sys.excepthook(type(error), error.with_traceback(shown), shown)
        code = 1
    if not quickly:
        sys.exit(code)
    _leave(module, code)


def _exit_code(code: object) -> int:
    """The status that ``sys.exit`` stands for; a message is printed, as Python does."""
    if code is None:
        return 0
    if isinstance(code, int):
        return code & 0xFF
    print(code, file=sys.stderr)
    return 1


def _leave(module: types.ModuleType, code: int) -> None:
    """End as the interpreter does, as far as anybody can see: threads, exit handlers, destructors.

    What follows there is taking torch and triton apart. It shows nothing, and takes most of the time
    of a short program.
    """
    threading._shutdown()
    try:
        atexit._run_exitfuncs()
    except BaseException:
        pass  # It was printed; the status does not change.
    for private in (True, False):
        for name in list(module.__dict__):
            if name != "__builtins__" and (name[0] == "_" and name[1:2] != "_") is private:
                module.__dict__[name] = None
    gc.collect()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:
            pass  # Closed, or replaced by the program.
    ctypes.CDLL(None).fflush(None)
    os._exit(code)


if __name__ == "__main__":
    job = main(json.load(sys.stdin))
    if job is not None:
        _become(job)
        if job["observed"]:
            from executed import observe

            observe.start(job["facts"], job["ptx"])
        elif job["recorded"]:
            from executed import record

            record.start(job["facts"])
        _run(job["program"], job["raised"], job["quickly"])
