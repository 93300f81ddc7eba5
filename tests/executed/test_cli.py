"""The command line as an author and a docs CI use it, on a small repository of its own."""

import subprocess
import sys
from pathlib import Path

import pytest

from executed import cli, runners

ENGINE = Path(__file__).resolve().parents[2] / "scripts"
PINS = "".join(f"{package}=={runners.installed(package)}\n" for package in runners.PACKAGES)

FILES = {
    "requirements.txt": PINS,
    "docs/page.md": (
        "# Page\n\n"
        '{{ outputs("ch01_one/doubled") }}\n\n'
        'It prints {{ value("ch01_one/doubled", "answer") }}, {{ value("ch01_one/noisy", "noise") }}.\n'
    ),
    "snippets/ch01_one/doubled.py": (
        "# /// capture\n"
        '# runners = ["interpreter"]\n'
        "# ///\n"
        "from ch01_one.shared import FACTOR\n\n"
        "print(f'answer: {FACTOR * 2}')\n"
    ),
    "snippets/ch01_one/shared.py": (
        "# /// capture\n"
        '# runners = ["interpreter"]\n'
        "# ///\n"
        "FACTOR = 21\n\n\n"
        'if __name__ == "__main__":\n'
        "    print(FACTOR)\n"
    ),
    "snippets/ch01_one/noisy.py": (
        "# /// capture\n"
        '# runners = ["interpreter"]\n'
        "# [labels]\n"
        '# noise = { kind = "bound", limit = 1e-3 }\n'
        '# pid = { kind = "volatile" }\n'
        "# ///\n"
        "import os\nimport random\n\n"
        "print(f'noise: {random.random() * 1e-4:.3e}')\n"
        "print(f'pid: {os.getpid()}')\n"
    ),
}


@pytest.fixture
def book(tmp_path) -> Path:
    """A repository with a captured snippet of each kind."""
    root = tmp_path / "a book's «folder»"
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    assert cli.main(["--runner", "interpreter"], root) == cli.FRESH
    return root


@pytest.fixture
def said(book, capsys):
    """Run the command line on ``book``: its exit code and all that it said."""
    def call(*arguments: str) -> tuple[int, str]:
        capsys.readouterr()
        code = cli.main(arguments, book)
        out, err = capsys.readouterr()
        return code, out + err

    return call


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


def snapshot(root: Path) -> dict[Path, tuple[bytes, int]]:
    """Every file but those that git ignores: how long a program took is kept for the next run."""
    files = [path for path in root.rglob("*") if path.is_file() and ".cache" not in path.parts]
    return {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in files}


def test_a_fresh_book_passes_and_a_check_writes_nothing(book, said):
    before = snapshot(book)
    assert said("--check", "--no-run")[0] == cli.FRESH
    code, text = said("--check")
    assert (code, snapshot(book)) == (cli.FRESH, before), text
    assert said("--runner", "interpreter")[0] == cli.FRESH
    assert snapshot(book) == before


def test_noise_that_is_declared_moves_nothing(book, said):
    before = snapshot(book)
    assert said("--runner", "interpreter", "--force")[0] == cli.FRESH
    assert snapshot(book) == before


def test_an_edited_constant_is_stale_wherever_it_is_imported(book, said):
    edit(book / "snippets/ch01_one/shared.py", "21", "22")
    code, text = said("--check", "--no-run")
    assert code == cli.STALE
    assert "ch01_one/doubled (interpreter) is stale" in text
    assert "ch01_one/shared (interpreter) is stale" in text
    assert "shown on docs/page.md" in text
    assert "run: scripts/build ch01_one/doubled" in text


def test_a_check_shows_the_difference_that_a_re_run_makes(book, said):
    edit(book / "snippets/ch01_one/doubled.py", "* 2", "* 3")
    before = snapshot(book)
    code, text = said("--check")
    assert (code, snapshot(book)) == (cli.STALE, before)
    assert "-answer: 42\n" in text.replace("  ", "") and "+answer: 63\n" in text.replace("  ", "")


def test_a_build_mends_only_what_was_stale(book, said):
    edit(book / "snippets/ch01_one/doubled.py", "* 2", "* 3")
    before = snapshot(book)
    assert said("--runner", "interpreter")[0] == cli.FRESH
    changed = {path.name for path, content in snapshot(book).items() if before[path] != content}
    assert changed == {"doubled.interpreter.txt"}
    assert said("--check")[0] == cli.FRESH


def test_a_comment_or_other_line_ends_are_no_change(book, said):
    path = book / "snippets/ch01_one/shared.py"
    path.write_bytes(b"# a remark\n" + path.read_bytes())
    for file in (path, book / "snippets/ch01_one/doubled.interpreter.txt"):
        file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    assert said("--check")[0] == cli.FRESH


def test_a_capture_edited_by_hand_is_found_and_not_trusted(book, said):
    path = book / "snippets/ch01_one/noisy.interpreter.txt"
    edit(path, "noise: ", "noise: by hand ")
    code, text = said("--check", "--no-run")
    assert code == cli.STALE and "edited" in text and "run: scripts/build ch01_one/noisy" in text
    assert said("--runner", "interpreter")[0] == cli.FRESH
    assert "by hand" not in path.read_text("utf-8")


def test_a_capture_of_other_versions_is_outdated(book, said):
    edit(book / "requirements.txt", "torch==", "torch==9.")
    code, text = said("--check", "--no-run")
    assert code == cli.STALE and "is outdated: it is of torch" in text


def test_other_versions_than_the_pinned_ones_are_not_run(book, said):
    edit(book / "requirements.txt", "torch==", "torch==9.")
    code, text = said("--check")
    assert code == cli.STALE and "is installed, requirements.txt pins 9." in text


def test_missing_and_orphaned_captures_are_found(book, said):
    folder = book / "snippets/ch01_one"
    (folder / "noisy.interpreter.txt").rename(folder / "gone.interpreter.txt")
    code, text = said("--check", "--no-run")
    assert code == cli.STALE
    assert "ch01_one/noisy (interpreter) is missing" in text
    assert "orphan: a capture of ch01_one/gone" in text


def test_a_failing_snippet_keeps_its_capture_and_stops_no_other(book, said):
    capture = book / "snippets/ch01_one/doubled.interpreter.txt"
    before = capture.read_bytes()
    edit(book / "snippets/ch01_one/doubled.py", "* 2", "/ 0")
    edit(book / "snippets/ch01_one/shared.py", "21", "22")
    code, text = said("--runner", "interpreter")
    assert code == cli.STALE
    assert "ch01_one/doubled (interpreter) is failed" in text and "ZeroDivisionError" in text
    assert "mend the snippet, then run: scripts/build --check --runner interpreter ch01_one/doubled" in text
    assert capture.read_bytes() == before
    assert "22" in (book / "snippets/ch01_one/shared.interpreter.txt").read_text("utf-8")


def test_a_bound_that_is_exceeded_fails(book, said):
    edit(book / "snippets/ch01_one/noisy.py", "1e-4", "1e4")
    code, text = said("--runner", "interpreter", "ch01_one/noisy")
    assert code == cli.STALE and "is above its bound 0.001" in text


def test_a_timing_is_refused_while_the_interpreter_is_on(book, said):
    edit(book / "snippets/ch01_one/noisy.py", "print(f'pid", "print('took 3.2 ms')\nprint(f'pid")
    code, text = said("--runner", "interpreter", "ch01_one/noisy")
    assert code == cli.STALE and "line 2 gives a timing, 'took 3.2 ms', but no GPU ran it" in text


def test_a_snippet_that_does_not_parse_names_its_line(book, said):
    edit(book / "snippets/ch01_one/noisy.py", "import os\n", "import os os\n")
    code, text = said("--check", "--no-run")
    assert code == cli.STALE and "snippets/ch01_one/noisy.py:7: " in text


@pytest.mark.parametrize("arguments", [["--no-run"], ["ch01_one/nothing"], ["--runner", "abacus"]])
def test_wrong_usage_exits_2(book, arguments):
    done = subprocess.run(
        [sys.executable, "-c", "import sys; from pathlib import Path; from executed import cli;"
         "sys.exit(cli.main(sys.argv[2:], Path(sys.argv[1])))", book, *arguments],
        env={"PYTHONPATH": str(ENGINE)}, capture_output=True, text=True,
    )
    assert done.returncode == cli.USAGE
    assert done.stderr.startswith(("scripts/build: ", "usage: scripts/build"))


def test_names_may_be_patterns_and_chapters(book, said):
    for name in ("ch01_one", "ch01_one/*"):
        assert "3 captures, 0 not fresh" in said("--check", "--no-run", name)[1]
    assert "1 captures, 0 not fresh" in said("--check", "--no-run", "ch01_one/doub*")[1]


def test_a_runner_that_this_machine_lacks_is_said_and_its_digests_still_count(book, said, monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    edit(book / "snippets/ch01_one/noisy.py", '["interpreter"]', '["interpreter", "gpu"]')
    code, text = said("--check", "ch01_one/noisy")
    assert "gpu: 1 snippets not run: no GPU" in text
    assert code == cli.STALE and "on a machine with a GPU: scripts/build --runner gpu ch01_one/noisy" in text
    assert said("--runner", "gpu")[0] == cli.STALE


def test_a_check_without_a_run_imports_neither_torch_nor_mkdocs(book):
    code = (
        "import sys; from pathlib import Path; from executed import cli;"
        "code = cli.main(['--check', '--no-run'], Path(sys.argv[1]));"
        "print(sorted({'torch', 'triton', 'numpy', 'mkdocs'} & set(sys.modules))); sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, book], env={"PYTHONPATH": str(ENGINE)}, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "[]"), done.stdout + done.stderr


def test_what_is_measured_on_request_is_not_run_by_a_plain_check(book, said):
    edit(book / "snippets/ch01_one/noisy.py", '["interpreter"]', '["bench"]')
    code, text = said("--check", "ch01_one/noisy")
    assert code == cli.STALE
    assert "bench: 1 snippets not run: only with --runner bench" in text
    assert "run: scripts/build --runner bench ch01_one/noisy" in text


def test_a_command_runner_runs_a_program_and_may_give_times(book, said):
    path = book / "snippets/ch01_one/noisy.py"
    path.write_text('# /// capture\n# runners = ["bench"]\n# ///\nprint("took: 3 ms")\n', "utf-8")
    capture = book / "snippets/ch01_one/noisy.bench.txt"
    if runners.RUNNERS["bench"].lacks():
        pytest.skip(runners.RUNNERS["bench"].lacks())
    code, text = said("--runner", "bench")
    assert code == cli.FRESH, text
    assert capture.read_text("utf-8").endswith("---\ntook: 3 ms\n")


def test_explain_says_what_a_re_run_prints_and_who_depends_on_it(book, said):
    edit(book / "snippets/ch01_one/doubled.py", "* 2", "* 3")
    before = snapshot(book)
    code, text = said("--explain", "ch01_one/doubled")
    assert (code, snapshot(book)) == (cli.STALE, before)
    assert "+answer: 63" in text and "docs/page.md:3" in text


def test_github_gets_an_annotation_at_the_snippet_and_at_each_line_of_a_page(book, said):
    edit(book / "snippets/ch01_one/doubled.py", "* 2", "* 3")
    _, text = said("--check", "--no-run", "--github")
    places = [line.split("::")[1] for line in text.split("\n") if line.startswith("::error ")]
    assert places == [
        "error file=snippets/ch01_one/doubled.py,line=1",
        "error file=docs/page.md,line=3",
        "error file=docs/page.md,line=5",
    ]


def test_a_claim_that_no_longer_holds_fails_and_is_quoted(book, said):
    page = book / "docs/page.md"
    claim = '{{ claim("The answer is even", "[answer] == 42", snippet="ch01_one/doubled") }}.\n'
    page.write_text(page.read_text("utf-8") + f"\n{claim}", "utf-8")
    assert said("--check", "--no-run")[0] == cli.FRESH
    edit(book / "snippets/ch01_one/shared.py", "21", "22")
    assert said("--runner", "interpreter")[0] == cli.FRESH
    code, text = said("--check", "--no-run")
    assert code == cli.STALE
    assert "docs/page.md:7: the page says “The answer is even”" in text and "[interpreter | answer] is 44" in text


def test_a_number_without_a_source_fails_with_its_line(book, said):
    page = book / "docs/page.md"
    page.write_text(page.read_text("utf-8") + "\nThe error is 0.00041 here.\n", "utf-8")
    code, text = said("--check", "--no-run")
    assert code == cli.STALE and "docs/page.md:7: '0.00041' has no source" in text


def test_a_line_that_moves_by_itself_must_be_declared_before_it_is_recorded(book, said):
    (book / "snippets/ch01_one/moves.py").write_text(
        '# /// capture\n# runners = ["interpreter"]\n# ///\nimport random\n\nprint(f"x: {random.random()}")\n', "utf-8"
    )
    code, text = said("--runner", "interpreter")
    assert code == cli.STALE
    assert "two runs of it print different things on line 1" in text
    assert not (book / "snippets/ch01_one/moves.interpreter.txt").exists()


@pytest.mark.parametrize("share", ["0/2", "3/2", "x", "1"])
def test_a_share_must_be_one_of_its_count(book, share):
    with pytest.raises(SystemExit) as ended:
        cli.main(["--check", "--shard", share], book)
    assert ended.value.code == cli.USAGE
