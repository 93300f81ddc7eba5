"""An assembled program is complete by itself and prints what its parts print, or the engine refuses."""

import subprocess
import sys

import pytest

from executed.assemble import assemble, join_statements, program, sort_imports, statements, without_markers
from executed.discover import Repository
from executed.snippet import SnippetError


def bundle(*parts: str) -> str:
    names = ", ".join(f'"{part}"' for part in parts)
    return f'"""Chapter 1 in one program."""\n\n# /// capture\n# bundle = [{names}]\n# ///\n'


def printed(text: str, path: str = "") -> str:
    """What a program prints in a process of its own, ``path`` being where it may import from."""
    ran = subprocess.run(
        [sys.executable, "-S", "-"],
        input=text,
        env={"PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, f"{ran.stderr}\n{text}"
    return ran.stdout


def as_written(repository: Repository, *names: str) -> str:
    """What snippets print one after the other, each run where it lies."""
    return "".join(printed(repository.snippets[name].text, str(repository.folder)) for name in names)


HELPER = '''\
"""Helpers."""

import math
from ch02.deep import half

# Doubles, and says so.
# Twice.
def twice(x):
    return 2 * half(x) * FACTOR


FACTOR = 2
OTHER = 5


def unused():
    return OTHER


if __name__ == "__main__":
    print("helper", twice(math.pi))
'''
DEEP = 'RATIO = 0.5\n\n\ndef half(x):\n    """Half."""\n    return x * RATIO\n'
MAIN = "from ch01.helper import twice\n\nN = 3\nprint(twice(N))\n"
FILES = {"snippets/ch01/helper.py": HELPER, "snippets/ch02/deep.py": DEEP, "snippets/ch01/main.py": MAIN}


def test_a_snippet_of_its_own_is_left_as_it_is_but_for_the_engines_lines(repo):
    text = (
        '"""Doc."""\n\n# /// capture\n# timeout = 5\n# ///\n\n# --8<-- [start:a]\n'
        "x = 1  # one\n# --8<-- [end:a]\nprint(x)\n"
    )
    repository = repo({"snippets/ch01/main.py": text})
    assert (
        assemble(repository, repository.snippets["ch01/main"]) == '"""Doc."""\n\n\nx = 1  # one\nprint(x)\n'
    )


def test_imports_are_written_in_with_all_that_they_need_and_nothing_else(repo):
    repository = repo(FILES)
    text = assemble(repository, repository.snippets["ch01/main"])
    assert printed(text) == as_written(repository, "ch01/main") == "6.0\n"
    assert "# Doubles, and says so.\n# Twice.\ndef twice(x):" in text
    assert "RATIO = 0.5" in text
    for absent in ("unused", "OTHER", "helper", "ch01", "ch02", "import"):
        assert absent not in text


def test_the_parts_of_a_bundle_follow_each_other_with_their_titles(repo):
    parts = {
        "snippets/ch01/a.py": '"""The first part."""\n\nimport os\nimport sys\n\nprint("a", os.sep)\n',
        "snippets/ch01/b.py": '"""The second\npart.\n\nMore."""\n\nimport os\n\nprint("b")\n',
        "snippets/ch01/main.py": bundle("b", "a"),
    }
    repository = repo(parts)
    whole = program(repository, repository.snippets["ch01/main"])
    assert [(cell.snippet.name, cell.title) for cell in whole.cells] == [
        ("ch01/b", "The second part"),
        ("ch01/a", "The first part"),
    ]
    assert whole.docstring == '"""Chapter 1 in one program."""'
    assert whole.imports == "import os\nimport sys"
    assert printed(whole.text) == as_written(repository, "ch01/b", "ch01/a") == "b\na /\n"
    assert "# The second part\n" in whole.text


def test_assembling_is_the_same_every_time(repo):
    repository = repo(FILES)
    snippet = repository.snippets["ch01/main"]
    assert assemble(repository, snippet) == assemble(repository, snippet)


def test_what_two_parts_share_is_written_once(repo):
    shared = "def twice(x):\n    return 2 * x\n"
    repository = repo(
        FILES
        | {
            "snippets/ch01/a.py": f"N = 1\n\n\n{shared}\n\nprint(twice(N))\n",
            "snippets/ch01/b.py": f"N = 1\n\n\n{shared}\n\nprint(twice(N) + 1)\n",
            "snippets/ch01/both.py": bundle("a", "b"),
        }
    )
    text = assemble(repository, repository.snippets["ch01/both"])
    assert text.count("def twice") == text.count("N = 1") == 1
    assert printed(text) == "2\n3\n"


SAME = {
    "decorators": (
        "import functools\n\n\n@functools.cache\n# between\n@functools.wraps(print)\n"
        "def f(x):\n    return x\n\n\nprint(f(1))\n"
    ),
    "classes": (
        "class A:\n    x = 1\n\n    def f(self):\n        return self.x\n\n\n"
        "class B(A):\n    pass\n\n\nprint(B().f())\n"
    ),
    "strings of several lines": (
        'T = """a\n# no comment\n    b\n"""\n\n\ndef f():\n    return """x\n  y"""\n\n\nprint(T, f())\n'
    ),
    "star import": "from math import *\n\nprint(floor(2.5))\n",
    "dotted import": "import os.path\n\nprint(os.path.join('a', 'b'))\n",
    "alias": "import math as m\nfrom os import sep as s\n\nprint(m.floor(1.5), s)\n",
    "future import": "from __future__ import annotations\n\n\ndef f(x: Nowhere): ...\n\n\nprint('ok')\n",
    "straight line": (
        "x = 1\nx += 1\nfor i in range(2):\n    x += i\nif x > 2:\n    print(x)\nelse:\n    print(-x)\n"
    ),
    "comments": "# top\n\n# above\nx = 1  # beside\n\n\n# far above\n\nprint(x)\n# below\n",
    "blank docstring": '""\nprint(1)\n',
    "global": "n = 0\n\n\ndef f():\n    global n\n    n += 1\n\n\nf()\nf()\nprint(n)\n",
    "main block": (
        'x = 1\n\n\nif __name__ == "__main__":\n    # comment\n    y = x + 1\n'
        '    for i in range(2):\n        print(y, i)\n\n    print("end")\n'
    ),
    "main block with a function": (
        'if __name__ == "__main__":\n    def f(x):\n        return x\n\n    print(f(1))\n'
    ),
    "braces, marks and quotes": "print('{{ x }}', \"--8<-- \\\"a\\\"\", '\\'', r'\\d', b'\\0')\n",
    "non-ASCII": "é = '漢'\nprint(é)\n",
    "walrus and comprehension": "print([y := 1, y ** 2], {k: v for k, v in zip('ab', (1, 2))})\n",
}
BROKEN = {
    "an assignment to an item, twice": "d = {}\nd['A'] = 1\nd.clear()\nd['A'] = 1\nprint(d)\n",
    "an assignment to an attribute": "class C:\n    pass\n\n\nC.x = None\nprint(C.x)\n",
    "main block with a decorator": (
        "import functools\n\nif __name__ == '__main__':\n    @functools.cache\n"
        "    def f():\n        return 1\n\n"
        "    f()\n    f()\n    print(f.cache_info().hits)\n"
    ),
    "not the main block": 'if __name__ != "__main__":\n    print(1)\nprint(2)\n',
    "a name bound again": "x = 1\n\n\ndef f():\n    print(x)\n\n\nf()\nx = 2\nf()\n",
    "a parameter named like a variable": (
        "def f(g):\n    return (lambda v: g(v))(1)\n\n\nv = 1\nprint(f(str))\nv = 2\nprint(v)\n"
    ),
    "a statement that an import needs": (
        "import sys\nimport types\n\nsys.modules['made'] = types.SimpleNamespace(x=1)\n"
        "import made\n\nprint(made.x)\n"
    ),
}


@pytest.mark.parametrize(
    "text",
    ['if __name__ == "__main__": print(1)\n', 'if __name__ == "__main__":\n    print(1)\nelse:\n    print(2)\n',
     "print(1); print(2)\n"],
)
def test_what_cannot_be_moved_into_one_program_is_refused_with_its_line(repo, text):
    files = {"snippets/ch01/a.py": text, "snippets/ch01/b.py": "", "snippets/ch01/main.py": bundle("a", "b")}
    repository = repo(files)
    with pytest.raises(SnippetError, match=r"a\.py:1: "):
        assemble(repository, repository.snippets["ch01/main"])


@pytest.mark.parametrize("text", ["LIST = []\nLIST.append(1)\n\n\ndef f():\n    return LIST\n",
                                  "from math import *\n\n\ndef f():\n    return floor(1.5)\n"])
def test_an_import_of_what_a_statement_may_change_is_refused_with_its_line(repo, text):
    repository = repo({"snippets/ch01/lib.py": text, "snippets/ch01/main.py": "from ch01.lib import f\n\nprint(f())\n"})
    with pytest.raises(SnippetError, match=r"lib\.py:[12]: "):
        assemble(repository, repository.snippets["ch01/main"])


def cases(right: dict[str, str], wrong: dict[str, str]) -> list:
    return [
        *(pytest.param(text, id=name) for name, text in right.items()),
        *(pytest.param(text, id=name) for name, text in wrong.items()),
    ]


@pytest.mark.parametrize("text", cases(SAME, BROKEN))
def test_a_bundled_part_prints_what_it_prints_alone(repo, text):
    repository = repo(
        {
            "snippets/ch01/a.py": text,
            "snippets/ch01/b.py": 'print("b")\n',
            "snippets/ch01/main.py": bundle("a", "b"),
        }
    )
    assert repository.errors == ()
    text = assemble(repository, repository.snippets["ch01/main"])
    compile(text, "main.py", "exec")
    assert printed(text) == as_written(repository, "ch01/a", "ch01/b")


IMPORTED = {
    "constant": "N = 3\n\n\ndef f():\n    return N\n",
    "class": (
        "class Base:\n    n = 1\n\n\nclass f(Base):\n    def __repr__(self):\n        return str(self.n)\n"
    ),
    "decorator": "def twice(g):\n    return lambda: 2 * g()\n\n\n@twice\ndef f():\n    return 1\n",
    "annotation": "class T:\n    pass\n\n\ndef f(x: T = None) -> T:\n    return x\n",
    "default": "ONE = 1\n\n\ndef f(x=ONE):\n    return x\n",
    "external import": "import math\n\n\ndef f():\n    return math.floor(1.5)\n",
    "external alias": "from math import floor as g\n\n\ndef f():\n    return g(1.5)\n",
    "dotted import": "import os.path\n\n\ndef f():\n    return os.path.sep\n",
    "definition below": "def f():\n    return g()\n\n\ndef g():\n    return 1\n",
    "tuple": "A, (B, *C) = 1, (2, 3)\n\n\ndef f():\n    return A, B, C\n",
    "annotated": "N: int = 3\n\n\ndef f():\n    return N\n",
    "bound twice": "N = 1\nN = N + 1\n\n\ndef f():\n    return N\n",
    "loop": "N = 0\nfor i in range(3):\n    N += i\n\n\ndef f():\n    return N\n",
    "main block left out": (
        'def f():\n    return 1\n\n\nif __name__ == "__main__":\n    print("not imported")\n'
    ),
    "import of an import": "from ch02.deep import half\n\n\ndef f():\n    return half(4)\n",
    "fallback": (
        "try:\n    import math\nexcept ImportError:\n    math = None\n\n\ndef f():\n"
        "    return math.floor(1.5)\n"
    ),
}
IMPORTED_BROKEN = {
    "default of the same name": "N = 3\n\n\ndef f(N=N):\n    return N\n",
    "filled in after it is made": "TABLE = {}\nTABLE['a'] = 1\n\n\ndef f():\n    return TABLE\n",
    "tried import": "try:\n    import math\nfinally:\n    pass\n\n\ndef f():\n    return math.floor(1.5)\n",
    "definition under a condition": (
        "import sys\n\nif sys:\n    def g():\n        return 1\n\n\ndef f():\n    return g()\n"
    ),
}


@pytest.mark.parametrize("text", cases(IMPORTED, IMPORTED_BROKEN))
def test_an_imported_definition_comes_with_all_that_it_needs(repo, text):
    repository = repo(
        {
            "snippets/ch01/lib.py": text,
            "snippets/ch02/deep.py": DEEP,
            "snippets/ch01/main.py": "from ch01.lib import f\n\nprint(f())\n",
        }
    )
    assert repository.errors == ()
    text = assemble(repository, repository.snippets["ch01/main"])
    assert "ch0" not in text
    assert printed(text) == as_written(repository, "ch01/main")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            'if __name__ == "__main__":\n    from ch01.lib import f\n\n    print(f())\n',
            id="import in the main block",
        ),
        pytest.param(
            "def g():\n    from ch01.lib import f\n    return f()\n\n\nprint(g())\n",
            id="import in a function",
        ),
    ],
)
def test_an_import_that_is_not_at_the_top_is_written_in_or_refused(repo, text):
    repository = repo({"snippets/ch01/lib.py": "def f():\n    return 1\n", "snippets/ch01/main.py": text})
    try:
        assembled = assemble(repository, repository.snippets["ch01/main"])
    except SnippetError:
        return
    assert printed(assembled) == as_written(repository, "ch01/main")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("import ch01.lib", "main.py:1: import names from a snippet plainly"),
        ("import ch01.lib as l", "main.py:1: import names from a snippet plainly"),
        ("from ch01.lib import f as g", "main.py:1: import names from a snippet plainly"),
        ("from ch01.lib import *", "main.py:1: import names from a snippet plainly"),
        ("from ch01.lib import g", "main.py:1: .*lib.py defines no g"),
        ("from ch01.lib import hidden", "main.py:1: .*lib.py defines no hidden"),
    ],
)
def test_an_import_that_cannot_be_written_in_is_an_error(repo, line, said):
    lib = "def f():\n    return 1\n\n\nif __name__ == '__main__':\n    hidden = 1\n"
    repository = repo({"snippets/ch01/lib.py": lib, "snippets/ch01/main.py": f"{line}\n"})
    with pytest.raises(SnippetError, match=said):
        assemble(repository, repository.snippets["ch01/main"])


COLLISIONS = [
    pytest.param("def f():\n    return 1\n", "def f():\n    return 2\n", "f", id="functions"),
    pytest.param("class Box:\n    x = 1\n", "class Box:\n    x = 2\n", "Box", id="classes"),
    pytest.param(
        "N = 1\n\n\ndef f():\n    return N\n", "N = 2\n", "N", id="a constant that a function reads"
    ),
    pytest.param("def show(x):\n    print(x)\n", "show = 1\n", "show", id="a function and a variable"),
    pytest.param(
        "from math import sqrt\n\nprint(sqrt(4))\n",
        "from cmath import sqrt\n\nprint(sqrt(4))\n",
        "sqrt",
        id="imports",
    ),
    pytest.param(
        "from math import exp\n\n\ndef f():\n    return exp(0)\n",
        "def exp(x):\n    return x\n",
        "exp",
        id="an import and a function",
    ),
    pytest.param("import math as m\n\nprint(m.pi)\n", "import cmath as m\n\nprint(m.e)\n", "m", id="aliases"),
]


@pytest.mark.parametrize(("one", "other", "name"), COLLISIONS)
def test_one_name_for_two_things_is_an_error_that_names_both(repo, one, other, name):
    if name == "show":
        one += "\n\ndef g():\n    show(1)\n"
    repository = repo(
        {"snippets/ch01/a.py": one, "snippets/ch01/b.py": other, "snippets/ch01/main.py": bundle("a", "b")}
    )
    with pytest.raises(SnippetError, match=rf"b\.py:\d+: {name} means something else in .*a\.py"):
        assemble(repository, repository.snippets["ch01/main"])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("N = 1\nprint(N)\n", "N = 2\nprint(N)\n", id="constants"),
        pytest.param("x = 1\nprint(x)\n", "x = 2\nprint(x)\n", id="variables"),
        pytest.param(
            "def f():\n    return 1\n\n\nprint(f())\n",
            "def f():\n    return 1\n\n\nprint(-f())\n",
            id="a function",
        ),
        pytest.param(
            "def f():\n    return 1\n\n\nprint(f())\n",
            "# Says one.\ndef f():\n    return 1\n\n\nprint(-f())\n",
            id="but for a comment",
        ),
        pytest.param(
            (
                "def f(g):\n    def inner(x):\n        return g(x)\n    return inner(1)\n\n\n"
                "x = 1\nprint(f(str), x)\n"
            ),
            "x = 2\nprint(x)\n",
            id="a parameter of an inner function",
        ),
        pytest.param(
            "def f(*args):\n    return args\n\n\nargs = 1\nprint(f(args))\n",
            "args = 2\nprint(args)\n",
            id="star arguments",
        ),
        pytest.param(
            "CONFIG = {}\nCONFIG['a'] = 1\nprint(CONFIG)\n",
            "CONFIG = {}\nprint(CONFIG)\n",
            id="a constant that was changed",
        ),
    ],
)
def test_names_that_do_not_disturb_each_other_may_be_the_same(repo, one, other):
    repository = repo(
        {"snippets/ch01/a.py": one, "snippets/ch01/b.py": other, "snippets/ch01/main.py": bundle("a", "b")}
    )
    text = assemble(repository, repository.snippets["ch01/main"])
    assert printed(text) == as_written(repository, "ch01/a", "ch01/b")


@pytest.mark.parametrize(
    "docstring",
    [
        '"""Plain."""',
        "'Single.'",
        '"""Of several\n\nlines."""',
        pytest.param('r"""A \\t backslash."""', id="a backslash"),
        pytest.param('"""A \\\\n backslash."""', id="an escaped backslash"),
        pytest.param("""'''Three \"\"\" quotes.'''""", id="quotes inside"),
        pytest.param("""'A quote at the "end"'""", id="a quote at the end"),
    ],
)
def test_the_docstring_of_a_bundle_stays_what_it_says(repo, docstring):
    repository = repo(
        {
            "snippets/ch01/a.py": "print(__doc__)\n",
            "snippets/ch01/main.py": docstring + bundle("a").removeprefix('"""Chapter 1 in one program."""'),
        }
    )
    snippet = repository.snippets["ch01/main"]
    assert printed(assemble(repository, snippet)) == printed(f"{docstring}\nprint(__doc__)\n")


@pytest.mark.parametrize(
    "text", ['x = 1\n\n\nif __name__ == "__main__":\n    y = """a\n    b"""\n    print(y)\n']
)
def test_a_main_block_that_cannot_be_moved_left_is_an_error(repo, text):
    repository = repo({"snippets/ch01/a.py": text, "snippets/ch01/main.py": bundle("a")})
    with pytest.raises(SnippetError, match=r"a\.py:4: "):
        assemble(repository, repository.snippets["ch01/main"])


def test_statements_with_and_without_the_main_block(repo):
    snippet = repo({"snippets/ch01/a.py": HELPER, "snippets/ch02/deep.py": DEEP}).snippets["ch01/a"]
    assert len(list(statements(snippet, unwrap=True))) == len(list(statements(snippet, unwrap=False))) + 1


def test_markers_go_and_mentions_of_them_stay():
    text = "# --8<-- [start:a]\n    # --8<-- [end:a]\nx = '# --8<-- [start:a]'\n# a comment\n"
    assert without_markers(text) == "x = '# --8<-- [start:a]'\n# a comment\n"


def test_imports_are_sorted_each_once():
    lines = [
        "import torch",
        "from os import sep",
        "import ast",
        "from __future__ import annotations",
        "import torch",
    ]
    assert sort_imports(lines) == [
        "from __future__ import annotations",
        "",
        "from os import sep",
        "import ast",
        "",
        "import torch",
    ]
    assert sort_imports([]) == []


@pytest.mark.parametrize(
    ("pieces", "text"),
    [
        ([], ""),
        (["x = 1", "y = 2"], "x = 1\ny = 2"),
        (["x = 1", "\ny = 2"], "x = 1\n\ny = 2"),
        (["x = 1", "def f(): ...", "y = 2"], "x = 1\n\n\ndef f(): ...\n\n\ny = 2"),
        (["\nx = 1", "\n# c\n@d\nclass A: ..."], "x = 1\n\n\n# c\n@d\nclass A: ..."),
    ],
)
def test_statements_are_spaced_as_a_formatter_would(pieces, text):
    assert join_statements(pieces) == text


@pytest.mark.parametrize(
    ("main", "fault"),
    [
        ("    # a comment\n    print(f())\n\n    SIZE = 2\n", r"b\.py:8: SIZE means something else in .*a\.py"),
        ("    print(f())\n    x = 1; y = 2\n", r"b\.py:6: two statements on one line: 'x = 1; y = 2'"),
    ],
)
def test_a_fault_in_the_main_block_is_named_by_its_line_in_the_file(repo, main, fault):
    repository = repo(
        {
            "snippets/ch01/a.py": "def f():\n    return SIZE\n\n\nSIZE = 1\n",
            "snippets/ch01/b.py": f'from ch01.a import f\n\n\nif __name__ == "__main__":\n{main}',
        }
    )
    with pytest.raises(SnippetError, match=fault):
        assemble(repository, repository.snippets["ch01/b"])
