"""What a program may do, and what the engine makes of it: one test a kind."""

import gc
import os
import textwrap
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from executed import run, runners
from executed.snippet import Label, Settings, Snippet

INTERPRETER = runners.RUNNERS["interpreter"]

PROGRAMS = {
    "prints": "print('hello')",
    "exits_3": "import sys; print('before'); sys.exit(3)",
    "raises": "print('before')\nraise ValueError('the reason')",
    "segfaults": "import ctypes\nprint('before')\nctypes.string_at(0)",
    "hangs": "import time\nprint('before')\ntime.sleep(60)",
    "reads_stdin": "try:\n    input()\nexcept EOFError:\n    print('no input')",
    "interleaves": """
        import ctypes, os, subprocess, sys
        print("1 python")
        print("2 stderr", file=sys.stderr)
        ctypes.CDLL(None).puts(b"3 C")
        subprocess.run(["echo", "4 child"])
        os.write(1, b"5 descriptor\\n")
        sys.stdout.write("6 python\\n")
        """,
    "at_exit": "import atexit\natexit.register(print, 'at exit')\nprint('first')",
    "in_a_thread": "import threading\nthreading.Timer(0.2, print, ['from a thread']).start()\nprint('main')",
    "leaves_a_child": "import subprocess\nprint(subprocess.Popen(['sleep', '600']).pid)",
    "floods": "while True:\n    print('x' * 4096)",
    "writes_here": "from pathlib import Path\nprint(list(Path('.').glob('trace*')))\nPath('trace').touch()",
    "writes_here_too": "from pathlib import Path\nprint(list(Path('.').glob('trace*')))\nPath('trace').touch()",
    "spoils_state": """
        import os, random, sys, numpy, torch
        torch.set_default_dtype(torch.float64); torch.set_printoptions(precision=1)
        torch.manual_seed(7); random.seed(7); numpy.random.seed(7)
        os.environ["SPOILT"] = "1"; sys.modules["json"] = None; os.chdir("/")
        """,
    "sees_state": """
        import os, sys, torch
        print(torch.get_default_dtype(), os.environ.get("SPOILT"), sys.modules.get("json", 0) is None)
        print(torch.tensor(1 / 3))
        """,
    "finalizes": "import weakref\nclass A: pass\na = A()\nweakref.finalize(a, print, 'finalized')\nprint('first')",
    "draws_randomly": "import random, numpy\nprint(random.random(), numpy.random.rand())",
    "draws_randomly_too": "import random, numpy\nprint(random.random(), numpy.random.rand())",
    "names_folders": "import os, sys\nprint(os.getcwd(), __file__, os.environ['HOME'])",
    "collects": "import gc\nprint(gc.isenabled(), gc.get_threshold())",
    "is_main": "import sys\nprint(__name__, sys.argv, sys.modules['__main__'].__dict__ is globals())",
    "environment": """
        import os, torch
        print(os.environ["TRITON_INTERPRET"], os.environ["PYTHONHASHSEED"], torch.get_num_threads())
        print(os.environ["TRITON_CACHE_DIR"] != os.environ["HOME"], torch.cuda.is_available())
        """,
}


@pytest.fixture(scope="module")
def results() -> dict[str, run.Result]:
    programs = [
        run.Program(
            Snippet(f"ch00/{name}", Path(f"{name}.py"), "", Settings(timeout=2 if name == "hangs" else 60)),
            textwrap.dedent(text).lstrip("\n"), INTERPRETER,
        )
        for name, text in PROGRAMS.items()
    ]
    return {result.snippet.stem: result for result in run.run(programs)}


def test_every_program_has_a_result(results):
    assert set(results) == set(PROGRAMS)


def test_output_and_exit_status(results):
    assert (results["prints"].text, results["prints"].exit) == ("hello\n", 0)
    assert (results["exits_3"].text, results["exits_3"].exit) == ("before\n", 3)


def test_an_exception_shows_its_traceback_and_nothing_of_the_engine(results):
    text, code = results["raises"].text, results["raises"].exit
    assert code == 1
    assert text == (
        "before\n"
        "Traceback (most recent call last):\n"
        '  File "raises.py", line 2, in <module>\n'
        "    raise ValueError('the reason')\n"
        "ValueError: the reason\n"
    )


def test_a_signal_is_reported_as_one(results):
    assert results["segfaults"].exit == -11
    assert results["segfaults"].text.startswith("before\n")


def test_a_program_that_hangs_is_stopped_and_keeps_what_it_printed(results):
    assert results["hangs"].stopped == "timed out after 2 s"
    assert results["hangs"].text == "before\n"
    assert results["hangs"].seconds < 30


def test_stdin_is_closed(results):
    assert results["reads_stdin"].text == "no input\n"


def test_python_c_and_children_keep_their_order(results):
    assert results["interleaves"].text == "1 python\n2 stderr\n3 C\n4 child\n5 descriptor\n6 python\n"


def test_output_at_exit_and_of_threads_is_kept(results):
    assert results["at_exit"].text == "first\nat exit\n"
    assert results["in_a_thread"].text == "main\nfrom a thread\n"
    assert results["finalizes"].text == "first\nfinalized\n"


def test_children_left_behind_are_ended(results):
    child = int(results["leaves_a_child"].text)
    state = Path(f"/proc/{child}/stat")
    assert not state.exists() or state.read_text().split()[2] == "Z"


def test_a_flood_is_stopped(results):
    assert results["floods"].stopped == "printed more than 4 MiB"


def test_each_run_has_its_own_folder(results):
    assert results["writes_here"].text == results["writes_here_too"].text == "[]\n"


@pytest.fixture(scope="module")
def kept():
    with run.parents([INTERPRETER]) as starters:
        yield starters


@pytest.mark.parametrize(
    "usable, free, told, expected",
    [(True, 0, False, "memory"), (True, 1 << 62, False, "usual"), (False, 0, False, "usual"), (True, 0, True, "usual")],
    ids=["room", "too little room", "no such folder", "TMPDIR says where"],
)
def test_programs_run_in_memory_where_the_system_allows_it(tmp_path, monkeypatch, kept, usable, free, told, expected):
    places = {"memory": tmp_path / "memory", "usual": tmp_path / "usual"}
    for place in places.values():
        place.mkdir()
    monkeypatch.setattr(run, "_SHARED_MEMORY", str(places["memory"] if usable else tmp_path / "none"))
    monkeypatch.setattr(run, "_MEMORY_FREE", free)
    monkeypatch.setattr(run.tempfile, "tempdir", None if told else str(places["usual"]))
    if told:
        monkeypatch.setenv("TMPDIR", str(places["usual"]))
    else:
        monkeypatch.delenv("TMPDIR", raising=False)
    text = f"import os\nopen({str(tmp_path / 'where')!r}, 'w').write(os.getcwd())\n"
    snippet = Snippet("ch00/where", Path("where.py"), "", Settings())
    (result,) = run.run([run.Program(snippet, text, INTERPRETER)], kept=kept)
    assert result.exit == 0, result.text
    assert Path((tmp_path / "where").read_text()).is_relative_to(places[expected])
    assert not list(places[expected].iterdir()), "it is cleaned up"


def test_no_program_sees_the_state_of_another(results):
    assert results["sees_state"].text == "torch.float32 None False\ntensor(0.3333)\n"


def test_unseeded_random_numbers_differ_between_forks(results):
    assert results["draws_randomly"].text != results["draws_randomly_too"].text


def test_machine_folders_are_not_shown(results):
    assert results["names_folders"].text == ". names_folders.py /tmp/home\n"


def test_a_program_is_main(results):
    assert results["is_main"].text == "__main__ ['is_main.py'] True\n"


def test_garbage_is_collected_as_in_a_fresh_python(results):
    """The warm parent does not collect while it imports."""
    assert results["collects"].text == f"True {gc.get_threshold()}\n"


def test_the_environment_is_fixed(results):
    assert results["environment"].text == "1 0 1\nTrue False\n"


def test_variables_that_could_move_an_output_are_not_passed_on(monkeypatch):
    monkeypatch.setenv("PYTHONSTARTUP", "x.py")
    monkeypatch.setenv("TRITON_DEBUG", "1")
    monkeypatch.setenv("TRITON_INTERPRET", "0")
    passed = runners.environment(INTERPRETER)
    assert "PYTHONSTARTUP" not in passed and "TRITON_DEBUG" not in passed
    assert passed["TRITON_INTERPRET"] == "1"


def test_a_parent_that_dies_is_an_error_that_names_what_ran():
    snippet = Snippet("ch00/kills_its_parent", Path("x.py"), "", Settings())
    text = "import os, signal, time\nos.kill(os.getppid(), signal.SIGKILL)\ntime.sleep(5)"
    with pytest.raises(run.RunError, match="ended with -9 while running ch00/kills_its_parent"):
        list(run.run([run.Program(snippet, text, INTERPRETER)]))


class Notes(run.Commands):
    """A starter whose programs end in no order, and which notes who ran beside whom."""

    def __init__(self, draw):
        self.draw, self.running, self.beside = draw, {}, []

    def start(self, job):
        self.running[job["id"]] = Path(job["program"]).stem
        self.beside.append(sorted(self.running.values()))

    def ended(self):
        number = self.draw.choice(list(self.running))
        del self.running[number]
        return [{"id": number, "exit": 0, "stopped": None, "seconds": 0.0}]


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.sampled_from(["exact", "measured", "interpreted", "mojo"]), max_size=12), st.integers(1, 6), st.randoms()
)
def test_a_program_that_may_give_a_time_runs_alone_and_every_program_runs(kinds, cores, draw):
    label = (Label("* ms", kind="measured", within=0.1),)
    own = {"exact": (), "measured": label, "interpreted": label, "mojo": ()}
    runner = {"exact": "gpu", "measured": "gpu", "interpreted": "interpreter", "mojo": "mojo"}
    programs = [
        run.Program(
            Snippet(f"ch00/{kind}_{i}", Path(f"{kind}_{i}.py"), "", Settings(labels=own[kind])), "",
            runners.RUNNERS[runner[kind]],
        )
        for i, kind in enumerate(kinds)
    ]
    notes = Notes(draw)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(run, "CORES", cores)
        patch.setattr(run, "describe", lambda runner: ("", ""))
        results = list(run.run(programs, kept=dict.fromkeys(runners.RUNNERS, notes)))
    assert sorted(r.snippet.name for r in results) == sorted(p.snippet.name for p in programs)
    for together in notes.beside:
        assert len(together) <= cores
        assert len(together) == 1 or not any(name.startswith("measured") for name in together)
        assert sum(name.startswith("mojo") for name in together) <= 1
        assert sum(name.startswith("exact") for name in together) <= 4


def test_nothing_to_run_starts_nothing(monkeypatch):
    monkeypatch.setattr(os, "pipe", lambda: pytest.fail("a parent was started"))
    assert list(run.run([])) == []
