"""Whatever does not hold together is an error with its file and line, and nothing else is."""

import re

import pytest

from executed import lint

SETTINGS = '# /// capture\n# runners = ["interpreter"]\n# ///\n'
CODE = f"{SETTINGS}# --8<-- [start:all]\nprint('a: 1')\n# --8<-- [end:all]\n"
PAGE = '---\ntitle: x\n---\n\n```python\n--8<-- "ch01/a.py:all"\n```\n\n{{ outputs("ch01/a") }}\n'
BOTH = '# /// capture\n# runners = ["interpreter", "gpu"]\n# ///\n'


@pytest.fixture
def errors(repo, tmp_path):
    """What is wrong with a small book, some of its files changed."""

    def errors(changed: dict[str, str | bytes] | None = None) -> list[str]:
        repository = repo({"snippets/ch01/a.py": CODE, "docs/page.md": PAGE} | (changed or {}))
        return [error.removeprefix(f"{tmp_path}/") for error in lint.check(repository)]

    return errors


def test_a_book_that_holds_together_has_no_errors(errors):
    assert errors() == []


@pytest.mark.parametrize(
    ("changed", "error"),
    [
        pytest.param(
            {"docs/page.md": PAGE + '--8<-- "ch01/b.py"\n'},
            r"docs/page\.md:10: there is no snippet .*ch01/b",
            id="unknown snippet",
        ),
        pytest.param(
            {"docs/page.md": PAGE + '--8<-- "ch01/a.py:al"\n'},
            r"docs/page\.md:10: .* no region 'al'; it has all",
            id="unknown region",
        ),
        pytest.param(
            {"docs/page.md": PAGE + '--8<-- "ch01/a.py:all" \n'},
            r"docs/page\.md:10: malformed include",
            id="trailing space",
        ),
        pytest.param(
            {"docs/page.md": PAGE + '--8<-- "../requirements.py"\n'},
            r"docs/page\.md:10: .*leaves snippets/",
            id="climbs out",
        ),
        pytest.param(
            {"docs/page.md": PAGE + '--8<-- "/etc/passwd.py"\n'},
            r"docs/page\.md:10: .*leaves snippets/",
            id="absolute path",
        ),
        pytest.param(
            {"docs/page.md": PAGE + '--8<-- "ch01/../ch01/a.py"\n'},
            r"docs/page\.md:10: there is no snippet",
            id="detour",
        ),
        pytest.param(
            {"docs/page.md": PAGE + '{{ outputs("ch01/b") }}\n'},
            r"docs/page\.md:10: there is no snippet 'ch01/b'",
            id="call of an unknown snippet",
        ),
        pytest.param(
            {"docs/page.md": PAGE + '{{ outputs("ch01/a", runner="gpu") }}\n'},
            r"docs/page\.md:10: ch01/a has no runner 'gpu'; it declares interpreter",
            id="undeclared runner",
        ),
        pytest.param(
            {"docs/page.md": PAGE + '{{ program("ch01/a") }}\n'},
            r"docs/page\.md:10: .*bundles nothing",
            id="program of no bundle",
        ),
        pytest.param(
            {"docs/page.md": PAGE + "{{ nope() }}\n"},
            r"docs/page\.md:10: .*no directive 'nope'",
            id="unknown directive",
        ),
        pytest.param(
            {"docs/page.md": PAGE + "```\n"}, r"docs/page\.md:10: .*never closed", id="open code block"
        ),
        pytest.param(
            {"docs/deep/more.md": '\n--8<-- "ch01/b.py"\n'},
            r"docs/deep/more\.md:2: there is no snippet",
            id="a page in a folder",
        ),
        pytest.param(
            {"snippets/ch01/b.py": SETTINGS + "print(1)\n"},
            r"snippets/ch01/b\.py: no page uses ch01/b",
            id="unused snippet",
        ),
        pytest.param(
            {"snippets/ch01/a.py": CODE + "# --8<-- [start:b]\nx = 1\n# --8<-- [end:b]\n"},
            r"snippets/ch01/a\.py:7: no page includes region 'b'",
            id="unused region",
        ),
        pytest.param(
            {"snippets/ch01/a.py": CODE + "# --8<-- [end:b]\n"},
            r"snippets/ch01/a\.py:7: .*never starts",
            id="end without a start",
        ),
        pytest.param(
            {"snippets/ch01/a.py": CODE + f"x = '{'y' * 67}'\n"},
            r"snippets/ch01/a\.py:7: 73 columns",
            id="a wide line",
        ),
        pytest.param(
            {"snippets/ch01/gone.gpu.txt": ""},
            r"snippets/ch01/gone\.gpu\.txt: orphan: .*ch01/gone",
            id="capture without a snippet",
        ),
        pytest.param(
            {"snippets/ch01/a.gpu.txt": ""},
            r"snippets/ch01/a\.gpu\.txt: orphan: .*no runner 'gpu'",
            id="capture of an undeclared runner",
        ),
        pytest.param(
            {"snippets/ch01/a.py": CODE.replace('"interpreter"', '"tpu"')},
            r".*ch01/a\.py: there is no runner 'tpu'",
            id="unknown runner",
        ),
        pytest.param(
            {
                "snippets/ch01/a.py": CODE.replace(
                    "# ///\n", '# [labels]\n# "t" = { kind = "measured", within = 0.1 }\n# ///\n'
                )
            },
            r'.*ch01/a\.py: label "t" is measured, so only the gpu runner',
            id="measured on a CPU",
        ),
        pytest.param(
            {"snippets/ch01/b.py": "x = = 1\n"}, r"snippets/ch01/b\.py:1: invalid syntax", id="no Python"
        ),
        pytest.param(
            {"snippets/ch01/a.py": CODE + "import ch01.b\n", "snippets/ch01/b.py": SETTINGS + "x = 1\n"},
            r"snippets/ch01/a\.py:7: import names from a snippet plainly",
            id="an import that cannot be written in",
        ),
        pytest.param(
            {"docs/glossary.md": "# G\n\n## a {#term-a}\n\nOne. [x](page.md)\n"},
            r"docs/glossary\.md:3: no page uses 'a' in its running text",
            id="a term that nothing uses",
        ),
        pytest.param(
            {"docs/errors.md": "# E\n\n## a {#err-a}\n\n**Cause.** [x](page.md#y)\n"},
            r"docs/errors\.md:3: 'a' has no \*\*Mend",
            id="an error without a mend",
        ),
    ],
)
def test_each_fault_is_one_error_with_file_and_line(errors, changed, error):
    (found,) = errors(changed)
    assert re.match(error, found)


@pytest.mark.parametrize("columns", [0, 71, 72])
def test_a_line_that_fits_is_none(errors, columns):
    assert errors({"snippets/ch01/a.py": CODE + "#" * columns + "\n"}) == []


def test_an_import_counts_as_a_use_and_so_does_a_bundle(errors):
    assert (
        errors(
            {
                "snippets/ch01/a.py": CODE + "from ch01.b import x\n",
                "snippets/ch01/b.py": SETTINGS + "from ch01.c import x\n",
                "snippets/ch01/c.py": SETTINGS + "x = 1\n",
                "snippets/ch01/whole.py": SETTINGS.replace("# ///\n", '# bundle = ["d"]\n# ///\n'),
                "snippets/ch01/d.py": SETTINGS + "x = 1\n",
                "docs/page.md": PAGE + '{{ program("ch01/whole") }}\n',
            }
        )
        == []
    )


def test_a_region_that_a_page_shows_in_whole_is_not_used_by_that(errors):
    (error,) = errors({"docs/page.md": PAGE.replace(":all", "")})
    assert "no page includes region 'all'" in error


def test_what_stands_in_code_is_neither_used_nor_wrong(errors):
    assert (
        errors({"docs/page.md": PAGE + '`--8<-- "x"` and `{{ x }}`\n\n```markdown\n;--8<-- "x"\n{{ x }}\n```\n'})
        == []
    )


def test_a_link_out_of_the_folder_is_an_error_where_it_lies_and_where_it_is_included(errors, tmp_path):
    (tmp_path / "secret.py").write_text("KEY = 1\n")
    (tmp_path / "snippets" / "ch01").mkdir(parents=True)
    (tmp_path / "snippets" / "ch01" / "b.py").symlink_to(tmp_path / "secret.py")
    found = errors({"docs/page.md": PAGE + '--8<-- "ch01/b.py"\n'})
    assert [error.split(": ")[0] for error in found] == ["snippets/ch01/b.py", "docs/page.md:10"]
    assert all("leaves snippets/" in error for error in found)


def test_errors_are_told_once(errors):
    found = errors({"snippets/ch01/b.py": "x = = 1\n", "docs/page.md": PAGE + '{{ nope("é") }}\n' * 2})
    assert len(found) == len(set(found)) == 3


PRINTED = "== one ==\na: 1\nb: 2\n== two ==\nb: 3\n== two ==\n"


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (
            'outputs("ch01/a", section="three")',
            "section 'three' is printed 0 times; sections are: 'one', 'two', 'two'",
        ),
        ('outputs("ch01/a", section="two")', "section 'two' is printed 2 times"),
        ('value("ch01/a", "c")', "label 'c' is printed 0 times"),
        ('value("ch01/a", "b")', "label 'b' is printed 2 times"),
        ('value("ch01/a", "a", format="q")', "format 'q' does not suit 1"),
        ('value("ch01/a", "a", section="three")', "section 'three' is printed 0 times"),
    ],
)
def test_a_section_or_label_that_is_not_printed_just_once_is_an_error(repo, put, call, said):
    repository = repo({"snippets/ch01/a.py": CODE, "docs/page.md": f"{PAGE}{{{{ {call} }}}}\n"})
    assert lint.check(repository) == []
    put(repository, "ch01/a", text=PRINTED)
    (error,) = lint.check(repository)
    assert error.startswith(f"{repository.docs / 'page.md'}:10: ch01/a: ")
    assert said in error


@pytest.mark.parametrize(
    "call",
    [
        'outputs("ch01/a", section="one")',
        'value("ch01/a", "a")',
        'value("ch01/a", "b", section="one")',
        'value("ch01/a", "a", format=".1f", runner="interpreter")',
    ],
)
def test_what_is_printed_once_resolves(repo, put, call):
    repository = repo({"snippets/ch01/a.py": CODE, "docs/page.md": f"{PAGE}{{{{ {call} }}}}\n"})
    put(repository, "ch01/a", text=PRINTED)
    assert lint.check(repository) == []


def test_a_section_that_one_runner_does_not_print_is_an_error(repo, put):
    page = PAGE.replace('outputs("ch01/a")', 'outputs("ch01/a", section="one")')
    repository = repo({"snippets/ch01/a.py": CODE.replace(SETTINGS, BOTH), "docs/page.md": page})
    put(repository, "ch01/a", text="== one ==\n")
    put(repository, "ch01/a", "gpu", text="== two ==\n")
    assert any(
        re.search(r"page\.md:9: .*section 'one' is printed 0 times", error)
        for error in lint.check(repository)
    )


def test_a_file_that_is_no_capture_is_an_error_with_its_line(repo):
    repository = repo(
        {"snippets/ch01/a.py": CODE, "snippets/ch01/a.interpreter.txt": "x\n", "docs/page.md": PAGE}
    )
    (error,) = lint.check(repository)
    assert "page.md:9: " in error
    assert "a.interpreter.txt:1: not a capture" in error


def test_a_page_knows_what_it_uses(tmp_path):
    page = lint.read_page(tmp_path / "x.md", PAGE + "{{ nope() }}\n")
    assert page.uses("ch01/a")
    assert not page.uses("ch01")
    assert [len(page.includes), len(page.calls), len(page.errors)] == [1, 1, 1]


@pytest.mark.parametrize("info", ["", "text", "console", "output", "pycon", "{ .text }"])
def test_a_block_of_output_typed_by_hand_is_found(errors, info):
    found = errors({"docs/page.md": f"# Page\n\n```{info}\nblocks: 12\n```\n"})
    assert any("docs/page.md:3: a block of" in error for error in found)


def test_code_typed_by_hand_and_included_code_are_no_output(errors):
    text = "```bash\nls\n```\n\n````markdown\n```\nx\n```\n````\n\n```text\n--8<-- \"ch01/a.py\"\n```\n"
    found = errors({"docs/page.md": text, "snippets/ch01/a.py": "print(1)\n"})
    assert not any("a block of" in error for error in found)
