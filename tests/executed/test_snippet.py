"""A snippet says what it is called and what it needs; a slip in its settings is never passed over."""

import pytest

from executed.snippet import DEFAULT_RUNNERS, DEFAULT_TIMEOUT, Label, SnippetError, Speed, load, strip_settings

BODY = 'print("x")\n'


def block(*lines: str) -> str:
    return "# /// capture\n" + "".join(f"# {line}\n" for line in lines) + "# ///\n"


@pytest.fixture
def read(tmp_path):
    def read(content: str | bytes):
        path = tmp_path / "ch01_one" / "first.py"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return load(path, tmp_path)

    return read


def test_a_snippet_is_named_by_chapter_and_stem(read):
    snippet = read(BODY)
    assert (str(snippet), snippet.chapter, snippet.stem) == ("ch01_one/first", "ch01_one", "first")
    assert snippet.module == "ch01_one.first"
    assert snippet.capture_path("gpu") == snippet.path.parent / "first.gpu.txt"


def test_a_snippet_without_a_block_has_the_defaults(read):
    settings = read(BODY).settings
    assert settings.runners == DEFAULT_RUNNERS
    assert settings.timeout == DEFAULT_TIMEOUT
    assert (settings.raises, settings.bundle, settings.labels) == (None, (), ())


def test_every_setting_is_read(read):
    settings = read(
        block(
            'runners = ["gpu"]',
            'raises = "TypeError"',
            "timeout = 5",
            'bundle = ["b", "a"]',
            "",
            "[labels]",
            '"max abs diff" = { kind = "bound", limit = 1e-6 }',
            '"* ms" = { kind = "measured", within = 0.25 }',
            '"pid" = { kind = "volatile" }',
            '"sum" = { kind = "exact" }',
        )
        + BODY
    ).settings
    assert settings.runners == ("gpu",)
    assert settings.raises == "TypeError"
    assert settings.timeout == 5.0
    assert settings.bundle == ("b", "a")
    assert settings.labels == (
        Label("max abs diff", "bound", limit=1e-6),
        Label("* ms", "measured", within=0.25),
        Label("pid", "volatile"),
        Label("sum", "exact"),
    )


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_line_ends_and_a_byte_order_mark_change_nothing(read, ends, mark):
    text = block("timeout = 5") + BODY
    snippet = read(mark + text.replace("\n", ends).encode())
    assert snippet.text == text
    assert snippet.settings.timeout == 5.0


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["timeout = 0"], "timeout"),
        (["timeout = -1"], "timeout"),
        (["timeout = nan"], "timeout"),
        (["timeout = inf"], "timeout"),
        (["timeout = true"], "timeout"),
        (['timeout = "9"'], "timeout"),
        (["runners = []"], "runners"),
        (['runners = "gpu"'], "runners"),
        (["runners = [1]"], "runners"),
        (['runners = ["gpu", "gpu"]'], "twice"),
        (['bundle = ["a", "a"]'], "twice"),
        (["raises = 1"], "raises"),
        (['raises = ""'], "raises"),
        (['raises = "triton.CompilationError"'], "raises"),
        (['rasies = "TypeError"'], "rasies"),
        (["timeout = "], "TOML"),
        (["timeout = 1", "timeout = 2"], "TOML"),
        (["labels = 1"], "labels"),
        (["[labels]", 'a = "bound"'], '"a"'),
        (["[labels]", 'a = { kind = "fuzzy" }'], "fuzzy"),
        (["[labels]", 'a = { kind = "exact", tol = 1 }'], "tol"),
        (["[labels]", 'a = { kind = "bound" }'], "limit"),
        (["[labels]", 'a = { kind = "bound", limit = 0 }'], "limit"),
        (["[labels]", 'a = { kind = "bound", limit = inf }'], "limit"),
        (["[labels]", 'a = { kind = "bound", limit = nan }'], "limit"),
        (["[labels]", 'a = { kind = "bound", limit = true }'], "limit"),
        (["[labels]", 'a = { kind = "bound", limit = 1, within = 1 }'], "within"),
        (["[labels]", 'a = { kind = "measured", limit = 1 }'], "limit"),
        (["[labels]", 'a = { kind = "measured" }'], "within"),
        (["[labels]", 'a = { kind = "volatile", limit = 1 }'], "limit"),
    ],
)
def test_a_wrong_setting_is_named_with_file_and_line(read, lines, said):
    with pytest.raises(SnippetError, match=r"ch01_one/first\.py:3: ") as error:
        read('"""Doc."""\n\n' + block(*lines) + BODY)
    assert said in str(error.value)


@pytest.mark.parametrize(
    "text",
    [
        "# /// capture\n# timeout = 5\n" + BODY,
        "# /// capture\n# ///\n" + BODY,
        "# /// capture\n# timeout = 5\ntimeout = 6\n# ///\n" + BODY,
        "# /// capture\n#timeout = 5\n# ///\n" + BODY,
        "#/// capture\n# timeout = 5\n# ///\n" + BODY,
        "# // capture\n# timeout = 5\n# ///\n" + BODY,
        "# /// Capture\n# timeout = 5\n# ///\n" + BODY,
        "# /// captures\n# timeout = 5\n# ///\n" + BODY,
        "if 1:\n    # /// capture\n    # timeout = 5\n    # ///\n    " + BODY,
    ],
)
def test_a_malformed_block_is_an_error_and_not_a_comment(read, text):
    with pytest.raises(SnippetError, match=r"first\.py:\d+: malformed"):
        read(text)


def test_a_second_block_is_an_error(read):
    with pytest.raises(SnippetError, match=r"first\.py:5: a second settings block; the first is at line 1"):
        read(block("timeout = 5") + BODY + block("timeout = 6"))


def test_a_block_of_another_type_is_left_alone(read):
    text = "# /// script\n# dependencies = []\n# ///\n" + BODY
    assert read(text).settings.timeout == DEFAULT_TIMEOUT
    assert strip_settings(text) == text


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"x = '\xff'\n", "not UTF-8"), (b"x = 1\ny = '\0'\n", r"first\.py:2: a NUL")],
)
def test_bytes_that_are_no_source_are_an_error(read, content, said):
    with pytest.raises(SnippetError, match=said):
        read(content)


def test_a_link_to_nowhere_is_an_error(tmp_path):
    path = tmp_path / "ch01_one" / "first.py"
    path.parent.mkdir()
    path.symlink_to("gone.py")
    with pytest.raises(SnippetError, match="first.py: cannot be read"):
        load(path, tmp_path)


def test_a_reader_of_the_program_does_not_see_the_settings():
    text = f'"""Doc."""\n\n{block("timeout = 5")}\nimport os\n'
    assert strip_settings(text) == '"""Doc."""\n\n\nimport os\n'


@pytest.mark.parametrize(
    ("pattern", "label", "covered"),
    [
        ("max abs diff", "max abs diff", True),
        ("max abs diff", "max abs difference", False),
        ("* ms", "copy ms", True),
        ("* ms", "copy us", False),
        ("BLOCK=*", "BLOCK=128", True),
        ("worst ?", "worst 2", True),
        ("max", "Max", False),
    ],
)
def test_labels_are_patterns(pattern, label, covered):
    assert Label(pattern).covers(label) is covered


SPEED = ('[speed."sum"]', 'library = "torch"', 'over_library = "[a] / [b]"', 'ceiling = "copy"', 'of_ceiling = "[c] / [b]"')


def test_a_speed_has_two_ratios_and_what_they_are_over(read):
    (speed,) = read(block(*SPEED) + BODY).settings.speeds
    assert speed == Speed("sum", "torch", "[a] / [b]", "copy", "[c] / [b]")


@pytest.mark.parametrize("broken", [SPEED[:-1], (*SPEED, 'more = "1"'), (*SPEED[:-1], "of_ceiling = 1"), ('speed = { sum = "1" }',)])
def test_a_speed_that_says_less_or_more_is_refused(read, broken):
    with pytest.raises(SnippetError, match='speed "sum" needs exactly these, each a string: library, over_library, ceiling'):
        read(block(*broken) + BODY)


def test_a_speed_is_of_a_gpu_run(read):
    with pytest.raises(SnippetError, match="speed is of a GPU run, but runners are interpreter"):
        read(block('runners = ["interpreter"]', *SPEED) + BODY)


@pytest.mark.parametrize("label", ["kernel[grid] us", "a ] b"])
def test_a_label_holds_no_brackets(read, label):
    with pytest.raises(SnippetError, match="brackets enclose a reference"):
        read(block("[labels]", f'"{label}" = {{ kind = "volatile" }}') + BODY)
