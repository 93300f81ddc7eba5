"""Calls in double braces are read as Python reads them; whatever is nearly one is an error."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from executed.directives import BLOCKS, SIGNATURES, Call, DirectiveError, find_calls

ARGUMENT = st.text(st.characters(exclude_categories=["Cs"]))


def calls(page: str) -> list[Call]:
    found = list(find_calls(page))
    assert not any(isinstance(one, DirectiveError) for one in found), found
    return found


def error(page: str) -> DirectiveError:
    (found,) = [one for one in find_calls(page) if isinstance(one, DirectiveError)]
    return found


def test_a_call_with_its_place():
    page = 'text\n\n  {{ outputs("ch01/a", section="x") }}\n'
    (call,) = calls(page)
    assert (call.name, call.line, call.alone) == ("outputs", 3, True)
    assert call.arguments == {"snippet": "ch01/a", "section": "x", "runner": None}
    assert [found.alone for found in calls('a {{ value("a", "b") }}')] == [False]
    assert page[call.start : call.end] == '{{ outputs("ch01/a", section="x") }}'


def test_calls_in_order_with_offsets_that_cut_them_out():
    page = 'é `{{ x }}` {{ value("a", "b") }}, {{value(\'a\', label="c")}}\n{{ chapters() }}'
    assert [(c.name, c.line, c.alone) for c in calls(page)] == [
        ("value", 1, False),
        ("value", 1, False),
        ("chapters", 2, True),
    ]
    assert [page[c.start : c.end] for c in calls(page)] == [
        '{{ value("a", "b") }}',
        "{{value('a', label=\"c\")}}",
        "{{ chapters() }}",
    ]


@given(ARGUMENT, ARGUMENT, st.none() | ARGUMENT)
@pytest.mark.parametrize("seed", ["", "`", "}}", "{{", '"', "'", "\\", "``` {{ x }} ```", ") }}", "#", "\\`"])
def test_any_argument_comes_back_as_it_was_written(seed, snippet, label, section):
    label = seed + label
    rest = "" if section is None else f", section={section!r}"
    page = f"text\n{{{{ value({snippet!r}, {label!r}{rest}) }}}}\n"
    (call,) = calls(page)
    given = {name: argument for name, argument in call.arguments.items() if argument is not None}
    assert given == {"snippet": snippet, "label": label} | ({} if section is None else {"section": section})
    assert (call.line, page[call.start : call.end]) == (2, page.split("\n")[1])


@given(st.lists(ARGUMENT, min_size=2, max_size=4))
def test_calls_on_one_line_do_not_run_into_each_other(arguments):
    page = " and ".join(f"{{{{ value({argument!r}, 'x') }}}}" for argument in arguments)
    assert [call.arguments["snippet"] for call in calls(page)] == arguments


@given(st.text("{}`'\"(),= valueoutputs\n", max_size=40))
def test_any_page_gives_calls_and_errors_and_never_an_exception(page):
    for found in find_calls(page):
        assert 1 <= found.line <= page.count("\n") + 1


@pytest.mark.parametrize(
    "page",
    [
        "```\n{{ x }}\n```\n",
        "```python hl_lines='1'\n{{ x }}\n```\n",
        "~~~\n{{ x }}\n```\n{{ x }}\n~~~\n",
        "````\n```\n{{ x }}\n```\n````\n",
        "```\n````\n{{ x }}\n```\n",
        "    ```\n    {{ x }}\n    ```\n",
        "```\n    ```\n{{ x }}\n```\n",
        "```\n``` not the end\n{{ x }}\n```\n",
        "`{{ x }}`",
        "``{{ x }} ` {{ y }}``",
        "`a` and `{{ x }}` and `b`",
        "\\\\ `{{ x }}`",
        "{ { x } }",
        "{x}",
        "a }} b",
        "value('x')",
    ],
)
def test_code_and_text_hold_no_calls(page):
    assert calls(page) == []


@pytest.mark.parametrize(
    "page",
    [
        '```\nx\n```\n{{ value("a", "b") }}',
        '`a` {{ value("a", "b") }} `b`',
        '` {{ value("a", "b") }}',
        '```\nx\n```  \n{{ value("a", "b") }}',
        '  ~~~~\nx\n  ~~~~\n{{ value("a", "b") }}',
        '\\`{{ value("a", "b") }}\\`',
        '`` {{ value("a", "b") }}',
        '``a`{{ value("a", "b") }}`',
        '- {{ value("a", "b") }}',
        '| {{ value("a", "b") }} |',
        '    {{ value("a", "b") }}',
        '{{value("a","b")}}',
        '{{  value( "a" , "b" , )  }}',
        '{{ value("a", label="b") }}',
        '{{ value(label="b", snippet="a") }}',
        '{{ value("a", "" "b") }}',
        '{{ value("a", r"b") }}',
    ],
)
def test_a_call_outside_code_is_found(page):
    (call,) = calls(page)
    assert (call.arguments["snippet"], call.arguments["label"]) == ("a", "b")


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ('{{ output("a") }}', "no directive 'output'"),
        ("{{ }}", "not a call"),
        ("{{ outputs }}", "not a call"),
        ("{{ page.title }}", "not a call"),
        ('{{ a.outputs("a") }}', "not a call"),
        ('{{ outputs("a") + "b" }}', "not a call"),
        ('{{ outputs("a" }}', "not a call"),
        ("{{ it's }}", "not a call"),
        ("{{ outputs() }}", "missing a required argument: 'snippet'"),
        ('{{ value("a") }}', "missing a required argument: 'label'"),
        ('{{ outputs("a", title="b") }}', "unexpected keyword argument 'title'"),
        ('{{ outputs("a", "b") }}', "too many positional arguments"),
        ('{{ outputs("a", section="b", section="c") }}', "given twice"),
        ('{{ outputs("a", snippet="a") }}', "multiple values for argument 'snippet'"),
        ("{{ outputs(a) }}", "arguments are strings"),
        ("{{ outputs(1) }}", "arguments are strings"),
        ("{{ outputs(b'a') }}", "arguments are strings"),
        ("{{ outputs(f'a') }}", "arguments are strings"),
        ('{{ outputs("a" + "b") }}', "arguments are strings"),
        ('{{ outputs(*["a"]) }}', "arguments are strings"),
        ('{{ outputs(**{"snippet": "a"}) }}', "arguments are strings"),
        ('{{ outputs("a", section=None) }}', "arguments are strings"),
        ('{{ outputs(open("/etc/passwd").read()) }}', "arguments are strings"),
        ('{{ outputs("a")', "never closed"),
        ('{{ outputs("a") }', "never closed"),
        ('{{ outputs("a")\n}}', "never closed"),
        ('{ outputs("a") }}', "'{{' is missing"),
        ('outputs("a") }}', "'{{' is missing"),
        ('text {{ outputs("a") }}', "alone on its line"),
        ('{{ outputs("a") }}.', "alone on its line"),
        ('- {{ program("a") }}', "alone on its line"),
        ("| {{ chapters() }} |", "alone on its line"),
        ("```\ncode", "never closed"),
        ("~~~\n```\n", "never closed"),
    ],
)
def test_what_cannot_be_read_is_an_error_on_its_line(call, said):
    page = f"---\ntitle: x\n---\n\n{call}\n"
    found = error(page)
    assert found.line == 5
    assert said in str(found)


def test_two_faults_are_two_errors_and_good_calls_stay():
    page = '{{ nope() }}\n{{ value("a", "b") }} {{ nope() }}\n'
    assert [type(found).__name__ for found in find_calls(page)] == [
        "DirectiveError",
        "Call",
        "DirectiveError",
    ]
    assert [found.line for found in find_calls(page)] == [1, 2, 2]


def test_blocks_are_directives():
    assert set(BLOCKS) < set(SIGNATURES)


@pytest.mark.parametrize(
    "line", ["{{ " * 1000, "`" * 1000, '{{ "' + "\\" * 10_000, "{{ value('" + "}" * 10_000]
)
def test_a_long_line_is_read_in_time(line):
    start = time.process_time()
    list(find_calls(line))
    assert time.process_time() - start < 5
