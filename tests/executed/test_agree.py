"""Runners agree, agree within tolerance, differ on purpose, or stop the check."""

import pytest

from executed.agree import Agreement, agreement, complaint, printed

THREE = '# /// capture\n# runners = ["interpreter", "compiler", "gpu"]\n{}# ///\nprint("x 1")\n'
NOISE = '# [labels]\n# "diff" = {{ kind = "bound", limit = 1e-6 }}\n'
DIFFERS = '# differs = "NumPy keeps NaN"\n'


@pytest.fixture
def judged(repo, put):
    """How runners agree that printed these texts, and the complaint about it."""

    def judged(settings: str, texts: dict[str, str], **fields):
        repository = repo(
            {"snippets/ch01/a.py": THREE.format(settings.replace("{{", "{").replace("}}", "}"))}
        )
        for runner, text in texts.items():
            put(repository, "ch01/a", runner, text=text, **fields)
        snippet = repository.snippets["ch01/a"]
        return agreement(snippet, printed(repository, snippet)), complaint(repository, snippet)

    return judged


@pytest.mark.parametrize(
    ("settings", "first", "second", "found"),
    [
        ("", "x 1\n", "x 1\n", Agreement.SAME),
        ("", "x 0.5\n", "x 0.50000006\n", Agreement.WITHIN),
        ("", "x 0.5\n", "x 0.5001\n", Agreement.UNEXPLAINED),
        ("", "x 1\n", "x 2\n", Agreement.UNEXPLAINED),
        ("", "x 1\n", "x 1\ny\n", Agreement.UNEXPLAINED),
        ("", "nan\n", "0.0\n", Agreement.UNEXPLAINED),
        (NOISE, "diff: 1e-7\n", "diff: 3e-7\n", Agreement.WITHIN),
        (NOISE, "other: 1e-7\n", "other: 3e-7\n", Agreement.UNEXPLAINED),
        (DIFFERS, "x 1\n", "x 2\n", Agreement.ON_PURPOSE),
    ],
)
def test_two_runners(judged, settings, first, second, found):
    agreed, said = judged(settings, {"interpreter": first, "gpu": second})
    assert agreed is found
    if found is Agreement.UNEXPLAINED:
        assert "a.py: interpreter and gpu print different things" in said
        assert "differs" in said
    else:
        assert said is None


@pytest.mark.parametrize(("second", "value"), [("x 1\n", "same"), ("x 0.50000006\n", "within tolerance")])
def test_a_difference_that_is_declared_must_be_there(judged, second, value):
    _, said = judged(DIFFERS, {"interpreter": "x 1\n" if value == "same" else "x 0.5\n", "gpu": second})
    assert said.endswith(f"it declares that its runners differ, but they are: {value}")


@pytest.mark.parametrize(
    "texts", [{}, {"interpreter": "x\n"}, {"gpu": "x\n"}, {"compiler": "facts\n", "gpu": "x\n"}]
)
def test_one_runner_agrees_with_nobody(judged, texts):
    assert judged("", texts) == (Agreement.ALONE, None)
    assert judged(DIFFERS, texts) == (Agreement.ALONE, None)


def test_what_is_stale_or_no_capture_says_nothing(repo, put):
    repository = repo({"snippets/ch01/a.py": THREE.format("")})
    snippet = repository.snippets["ch01/a"]
    put(repository, "ch01/a", text="x 1\n")
    put(repository, "ch01/a", "gpu", text="x 2\n", source="sha256:0")
    assert list(printed(repository, snippet)) == ["interpreter"]
    snippet.capture_path("gpu").write_text("no capture\n")
    assert complaint(repository, snippet) is None


def test_a_snippet_of_the_compiler_alone_prints_and_counts(repo, put):
    repository = repo({"snippets/ch01/a.py": '# /// capture\n# runners = ["compiler"]\n# ///\nprint()\n'})
    put(repository, "ch01/a", "compiler", text="x\n")
    assert list(printed(repository, repository.snippets["ch01/a"])) == ["compiler"]
