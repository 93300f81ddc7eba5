"""Every capture has one state, with a reason and the command that mends it."""

import pytest

from executed.capture import format_capture, read, write
from executed.judge import State, look, weigh
from executed.result import Result

PINS = {"torch": "2.13.0"}
ANY = '# /// capture\n# runners = ["interpreter", "gpu"]\n# ///\nprint("x 0.5")\n'
RAISES = '# /// capture\n# runners = ["interpreter"]\n# raises = "KeyError"\n# ///\nprint({}["a"])\n'
NOISY = (
    '# /// capture\n# runners = ["interpreter", "gpu"]\n# [labels]\n'
    '# "diff" = { kind = "bound", limit = 1e-6 }\n# "pid" = { kind = "volatile" }\n'
    '# "* ms" = { kind = "measured", within = 0.25 }\n'
    "# ///\nprint()\n"
)
TRACEBACK = "x\nTraceback (most recent call last):\n  File \"a.py\", line 4, in <module>\nKeyError: 'a'\n"


@pytest.fixture
def book(repo):
    return repo(
        {
            "snippets/ch01/a.py": ANY,
            "snippets/ch01/raises.py": RAISES,
            "snippets/ch01/noisy.py": NOISY,
        }
    )


def result(
    repository, name="ch01/a", text="x 0.5\n", runner="interpreter", exit=0, stopped=None, **fields
) -> Result:
    # As a child tells it: the last line of a traceback, unless a test says otherwise.
    last = text.rstrip("\n").split("\n")[-1]
    fields = {"device": "CPU", "versions": "python 3.11, torch 2.13.0"} | fields
    fields = {"raised": last.split(":")[0].split(".")[-1] if exit == 1 else None} | fields
    return Result(
        repository.snippets[name], runner, exit=exit, stopped=stopped, seconds=0.1, text=text, **fields
    )


def seen(repository, name="ch01/a", runner="interpreter"):
    return look(repository, repository.snippets[name], runner, PINS)


def keep(repository, verdict):
    """Write what a verdict says should be on disk."""
    path = repository.snippets[verdict.snippet].capture_path(verdict.runner)
    write(path, format_capture(verdict.renewed))


def test_fresh(book, put):
    put(book, "ch01/a", text="x 0.5\n")
    assert seen(book).fresh
    assert seen(book).recorded.text == "x 0.5\n"


def test_missing(book):
    verdict = seen(book)
    assert (verdict.state, verdict.recorded) == (State.MISSING, None)
    assert str(verdict) == "ch01/a (interpreter) is missing: it was never captured"
    assert verdict.advice == "run: scripts/build ch01/a"


def test_missing_on_a_gpu_names_the_machine_that_mends_it(book):
    verdict = seen(book, runner="gpu")
    assert verdict.advice == "run on a machine with a GPU: scripts/build --runner gpu ch01/a"


def test_stale(book, put, repo):
    put(book, "ch01/a", text="x 0.5\n")
    changed = repo({"snippets/ch01/a.py": ANY.replace("0.5", "0.6")})
    assert seen(changed).state is State.STALE


def test_a_comment_makes_nothing_stale(book, put, repo):
    put(book, "ch01/a", text="x 0.5\n")
    assert seen(repo({"snippets/ch01/a.py": ANY + "# more\n"})).fresh


@pytest.mark.parametrize(
    "edit", [lambda text: text.replace("0.5", "0.6"), lambda text: text + "\n", lambda text: text[:-1]]
)
def test_edited(book, put, edit):
    put(book, "ch01/a", text="x 0.5\n")
    path = book.snippets["ch01/a"].capture_path("interpreter")
    path.write_text(edit(path.read_text()))
    assert seen(book).state is State.EDITED


@pytest.mark.parametrize("content", ["", "x\n", "---\n", b"\xff", "<<<<<<< HEAD\n---\n"])
def test_what_is_no_capture_counts_as_edited(book, repo, content):
    repo({"snippets/ch01/a.interpreter.txt": content})
    verdict = seen(book)
    assert verdict.state is State.EDITED
    assert "a.interpreter.txt" in verdict.reason


def test_a_capture_of_another_snippet_counts_as_edited(book, put):
    put(book, "ch01/a", text="x 0.5\n", snippet="ch01/b")
    assert (seen(book).state, "ch01/b" in seen(book).reason) == (State.EDITED, True)


def test_a_capture_of_another_runner_counts_as_edited(book, put):
    put(book, "ch01/a", text="x 0.5\n")
    write(
        book.snippets["ch01/a"].capture_path("gpu"),
        book.snippets["ch01/a"].capture_path("interpreter").read_text(),
    )
    assert seen(book, runner="gpu").state is State.EDITED


@pytest.mark.parametrize("versions", ["python 3.11, torch 2.12.0", "python 3.11", "torch 2.13.00"])
def test_outdated(book, put, versions):
    put(book, "ch01/a", text="x 0.5\n", versions=versions)
    verdict = seen(book)
    assert verdict.state is State.OUTDATED
    assert "2.13.0" in verdict.reason


def test_a_gpu_has_the_versions_that_it_has(book, put):
    put(book, "ch01/a", runner="gpu", text="x 0.5\n", versions="python 3.12, torch 2.11.0")
    assert seen(book, runner="gpu").fresh


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("ch01/a", {"exit": "1"}),
        ("ch01/a", {"exit": "1 (KeyError)"}),
        ("ch01/raises", {"exit": "0"}),
        ("ch01/raises", {"exit": "1 (TypeError)"}),
        ("ch01/noisy", {"text": "diff: 2e-06\n"}),
        ("ch01/noisy", {"text": "copy ms: 1.0\n"}),
        ("ch01/a", {"text": "it took 3 ms\n"}),
    ],
)
def test_a_capture_that_must_not_be_published_has_failed(book, put, name, fields):
    put(book, name, **fields)
    assert seen(book, name).state is State.FAILED


def test_a_run_of_what_was_missing_gives_the_capture(book):
    verdict = weigh(book, result(book), PINS)
    assert verdict.state is State.MISSING
    assert verdict.renewed.text == "x 0.5\n"
    assert (verdict.renewed.exit, verdict.renewed.device) == ("0", "CPU")
    keep(book, verdict)
    assert seen(book).fresh
    assert weigh(book, result(book), PINS).fresh


def test_a_run_that_prints_the_same_leaves_the_capture(book, put):
    put(book, "ch01/a", text="x 0.5\n")
    verdict = weigh(book, result(book, versions="python 3.12, torch 2.13.0"), PINS)
    assert (verdict.fresh, verdict.renewed) == (True, None)


def test_a_run_that_differs_in_rounding_leaves_the_capture(book, put):
    put(book, "ch01/a", text="x 0.5\n")
    assert weigh(book, result(book, text="x 0.50000006\n"), PINS).fresh


def test_changed(book, put):
    put(book, "ch01/a", text="x 0.5\n")
    verdict = weigh(book, result(book, text="x 0.6\n"), PINS)
    assert verdict.state is State.CHANGED
    assert (verdict.recorded.text, verdict.printed, verdict.renewed.text) == ("x 0.5\n", "x 0.6\n", "x 0.6\n")
    keep(book, verdict)
    assert weigh(book, result(book, text="x 0.6\n"), PINS).fresh


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        pytest.param({"versions": "python 3.11, torch 2.12.0"}, "pid: 1\nx 2\n", id="outdated"),
        pytest.param({"source": "sha256:0"}, "pid: 2\nx 2\n", id="stale"),
    ],
)
def test_noise_stays_only_where_the_same_code_printed_it(book, put, fields, text):
    put(book, "ch01/noisy", text="pid: 1\nx 1\n", **fields)
    verdict = weigh(book, result(book, "ch01/noisy", "pid: 2\nx 2\n"), PINS)
    assert not verdict.fresh
    assert verdict.renewed.text == text
    keep(book, verdict)
    assert seen(book, "ch01/noisy").fresh


@pytest.mark.parametrize(
    ("first", "second"),
    [("x 1\n", "x 2\n"), ("x\n", "x\nx\n"), ("x\ny\n", "y\nx\n"), ("diff: 1e-7\n", "diff: 1e-7 s\n")],
)
def test_code_that_prints_something_else_each_time_has_failed(book, first, second):
    runs = [result(book, "ch01/noisy", text) for text in (first, second)]
    verdict = weigh(book, runs[1], PINS, runs[0])
    assert (verdict.state, verdict.renewed) == (State.FAILED, None)


@pytest.mark.parametrize(
    ("first", "second"),
    [("x 0.5\n", "x 0.50000006\n"), ("pid: 1\n", "pid: 2\n"), ("diff: 1e-7\n", "diff: 0\n"), ("x\n", "x\n")],
)
def test_two_runs_may_differ_in_rounding_and_declared_noise(book, first, second):
    runs = [result(book, "ch01/noisy", text) for text in (first, second)]
    assert weigh(book, runs[1], PINS, runs[0]).renewed.text == second


def test_nothing_of_an_edited_capture_is_kept(book, put):
    put(book, "ch01/noisy", text="pid: 1\n")
    path = book.snippets["ch01/noisy"].capture_path("interpreter")
    path.write_text(path.read_text().replace("pid: 1", "pid: by hand"))
    verdict = weigh(book, result(book, "ch01/noisy", "pid: 2\n"), PINS)
    assert (verdict.state, verdict.renewed.text) == (State.EDITED, "pid: 2\n")


def test_a_bound_that_was_tightened_is_met_by_the_next_run(book, put):
    put(book, "ch01/noisy", text="diff: 2e-06\n")
    verdict = weigh(book, result(book, "ch01/noisy", "diff: 1e-07\n"), PINS)
    assert verdict.renewed.text == "diff: 1e-07\n"
    keep(book, verdict)
    assert seen(book, "ch01/noisy").fresh


@pytest.mark.parametrize(
    ("ended", "said"),
    [
        ({"exit": 3, "text": "x\n"}, "ended with 3: x"),
        ({"exit": 1, "text": TRACEBACK}, "KeyError: 'a'"),
        ({"exit": 1, "text": ""}, "ended with 1"),
        ({"exit": -11, "text": "x 0.5\n"}, "SIGSEGV"),
        ({"exit": -9, "text": ""}, "SIGKILL"),
        ({"exit": -64, "text": ""}, "killed by"),
        ({"exit": -9, "stopped": "timed out after 60 s"}, "timed out after 60 s"),
        ({"exit": -9, "stopped": "printed more than 4 MiB"}, "printed more than 4 MiB"),
        ({"exit": 0, "text": "3 ms\n"}, "line 1 gives a timing"),
    ],
)
@pytest.mark.parametrize("recorded", [True, False])
def test_a_run_that_ends_badly_has_failed_and_renews_nothing(book, put, ended, said, recorded):
    if recorded:
        put(book, "ch01/a", text="x 0.5\n")
    verdict = weigh(book, result(book, **ended), PINS)
    assert (verdict.state, verdict.renewed) == (State.FAILED, None)
    assert said in verdict.reason
    assert verdict.advice.startswith("mend the snippet")
    assert "ch01/a" in verdict.advice


@pytest.mark.parametrize(
    "last", ["KeyError: 'a'", "KeyError", "some.module.KeyError: 'a'", "KeyError: 'a'\n\n"]
)
def test_the_declared_exception_is_the_lesson(book, last):
    verdict = weigh(book, result(book, "ch01/raises", f"Traceback\n{last}\n", exit=1), PINS)
    assert verdict.renewed.exit == "1 (KeyError)"
    keep(book, verdict)
    assert seen(book, "ch01/raises").fresh


@pytest.mark.parametrize(
    ("text", "exit", "stopped"),
    [
        ("TypeError: 'a'\n", 1, None),
        ("MyKeyError: 'a'\n", 1, None),
        ("x\n", 0, None),
        ("KeyError: 'a'\n", 0, None),
        ("KeyError: 'a'\n", 2, None),
        ("KeyError: 'a'\n", -11, None),
        ("KeyError: 'a'\n", 1, "timed out after 60 s"),
        ("", 1, None),
    ],
)
def test_any_other_end_is_not(book, text, exit, stopped):
    verdict = weigh(book, result(book, "ch01/raises", text, exit=exit, stopped=stopped), PINS)
    assert (verdict.state, verdict.renewed) == (State.FAILED, None)


@pytest.mark.parametrize(
    "text", ["KeyError: at 3:4\n    x\n    ^\ncannot do this\n", "KeyError: 'a'\nprinted at exit\n"]
)
def test_the_declared_exception_may_say_more_than_a_line(book, text):
    assert weigh(book, result(book, "ch01/raises", text, exit=1, raised="KeyError"), PINS).renewed is not None


def test_printing_the_declared_exception_is_not_raising_it(book):
    text = "ValueError is what sys.exit(1) follows\nKeyError: 'a'\n"
    assert weigh(book, result(book, "ch01/raises", text, exit=1, raised=None), PINS).state is State.FAILED


TIMINGS = [
    "3 ms",
    "0.5 us",
    "0.5 µs",
    "12ns",
    "1.5 seconds",
    "1 second",
    "800 GB/s",
    "1.2 TB/s",
    "3.5 TFLOP/s",
    "90 GFLOPs",
    "copy ms: 1",
    "3.2 s",
    "0.5 μs",
    "5 sec",
    "2 min",
    "3.5 TFLOPS",
    "800 GiB/s",
    "500 MB/s",
    "time (ms): 3",
    "1.5 it/s",
]


@pytest.mark.parametrize("line", TIMINGS)
def test_no_timing_is_published_that_no_gpu_took(book, line):
    text = f"x\nvalue {line}\n" if ":" not in line else f"x\n{line}\n"
    verdict = weigh(book, result(book, "ch01/noisy", text), PINS)
    assert verdict.state is State.FAILED
    assert "line 2 gives a timing" in verdict.reason
    assert (
        weigh(book, result(book, "ch01/noisy", text, runner="gpu", device="NVIDIA H200"), PINS).renewed
        is not None
    )


@pytest.mark.parametrize("line", ["3 msgs", "12 blocks", "128 KB", "2 use cases", "sm_90", "4 users"])
def test_what_is_no_timing_is_published(book, line):
    assert weigh(book, result(book, text=f"{line}\n"), PINS).renewed is not None


def test_a_bound_that_is_exceeded_fails_on_every_runner(book, put):
    for runner in ("interpreter", "gpu"):
        put(book, "ch01/noisy", runner, text="diff: 2e-06\n")
        verdict = weigh(book, result(book, "ch01/noisy", "diff: 2e-06\n", runner=runner), PINS)
        assert (verdict.state, verdict.renewed) == (State.FAILED, None)
        assert "above its bound 1e-06" in verdict.reason


def test_looking_and_weighing_write_nothing(book, put):
    put(book, "ch01/a", text="x 0.5\n")
    path = book.snippets["ch01/a"].capture_path("interpreter")
    before = path.read_bytes()
    weigh(book, result(book, text="x 0.6\n"), PINS)
    seen(book)
    assert path.read_bytes() == before
    assert read(book.snippets["ch01/a"].capture_path("gpu")) is None
