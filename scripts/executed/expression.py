"""Arithmetic and comparisons over captured values, evaluated without ``eval``.

A value stands in brackets: ``[label]``, or ``[runner | section | label]`` with what is needed of
it, or, where it is another snippet's, ``[chapter/snippet | runner | section | label]``.
"""

import ast
import math
import operator
import re
from collections.abc import Callable
from dataclasses import dataclass

from executed.runners import RUNNERS

# A string may hold brackets, and a label quotes: whichever begins first wins.
_STRING_OR_REFERENCE = re.compile(r"""'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|\[([^\[\]]+)\]""")
_ARITHMETIC = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.Pow: operator.pow, ast.USub: operator.neg, ast.UAdd: operator.pos,
}
_COMPARISONS = {
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge,
    ast.Eq: operator.eq, ast.NotEq: operator.ne,
}
_FUNCTIONS = {"abs": abs, "sqrt": math.sqrt, "exp": math.exp, "log2": math.log2, "erf": math.erf}
_LARGEST_POWER = 64
_LARGEST_INTEGER = 4096
"""Bits of the largest integer that a power may give."""


class ExpressionError(Exception):
    """An expression that cannot be read, or whose values do not allow it."""


class Led(str):
    """A captured text that begins with a number: to calculate with, but equal to a text only as a whole."""

    number: int | float

    def __new__(cls, text: str, number: int | float):
        made = super().__new__(cls, text)
        made.number = number
        return made


@dataclass(frozen=True)
class Reference:
    """One captured value that an expression names; what it leaves out comes from its directive."""

    label: str
    section: str | None = None
    runner: str | None = None
    snippet: str | None = None


@dataclass(frozen=True)
class Expression:
    """A parsed expression: its references in order, and the tree in which they stand."""

    source: str
    references: tuple[Reference, ...]
    _tree: ast.expr

    @property
    def constants(self) -> tuple[int | float, ...]:
        """The numbers that it states itself."""
        found = (node.value for node in ast.walk(self._tree) if isinstance(node, ast.Constant))
        return tuple(value for value in found if not isinstance(value, str))

    def evaluate(self, look_up: Callable[[Reference], float | str]) -> float | str | bool:
        """Compute it, with ``look_up`` giving each captured value. Raises ``ExpressionError``."""
        values = [look_up(reference) for reference in self.references]
        try:
            result = _evaluate(self._tree, values)
            return result.number if isinstance(result, Led) else result
        except ZeroDivisionError:
            raise ExpressionError(f"{self.source!r} divides by zero") from None
        except RecursionError:
            raise ExpressionError(f"{_begun(self.source)!r} is nested too deeply") from None
        except (OverflowError, TypeError, ValueError) as error:
            raise ExpressionError(f"{self.source!r}: {error}") from None


def parse(source: str) -> Expression:
    """Parse an expression. Raises ``ExpressionError``."""
    references: list[Reference] = []
    # A name for each reference, which nobody else can have written.
    prefix = "_"
    while prefix in source:
        prefix += "_"

    def replaced(match: re.Match) -> str:
        if match[1] is None:
            return match[0]
        references.append(_reference(match[1]))
        return f" {prefix}{len(references) - 1} "

    plain = _STRING_OR_REFERENCE.sub(replaced, source).strip()
    try:
        tree = ast.parse(plain, mode="eval").body
        _check(tree, source, prefix)
    except (RecursionError, MemoryError):
        raise ExpressionError(f"{_begun(source)!r} is nested too deeply") from None
    except (SyntaxError, ValueError) as error:
        said = error.msg if isinstance(error, SyntaxError) else str(error)
        raise ExpressionError(f"{_begun(source)!r} is no expression: {said}") from None
    return Expression(source, tuple(references), tree)


def reference(source: str) -> Reference:
    """The one value that a text names, in brackets where it says more than the label. Raises ``ExpressionError``."""
    match = _STRING_OR_REFERENCE.fullmatch(source.strip())
    return _reference(match[1]) if match and match[1] else Reference(source)


def _begun(source: str, width: int = 200) -> str:
    return source if len(source) <= width else f"{source[:width]}…"


def _reference(text: str) -> Reference:
    *heads, label = (piece.strip() for piece in re.split(r"\s\|\s", text))
    snippet = heads.pop(0) if heads and re.fullmatch(r"\w+/\w+", heads[0]) else None
    runner = heads.pop(0) if heads and heads[0] in RUNNERS else None
    section = heads.pop(0) if heads else None
    if heads or not label or section == "":
        raise ExpressionError(f"[{text}] is no value; it reads [chapter/snippet | runner | section | label]")
    return Reference(label, section, runner, snippet)


def _check(node: ast.expr, source: str, prefix: str) -> None:
    match node:
        case ast.Constant(value=str(text)) if _is_number(text):
            raise ExpressionError(f"{source!r}: {text!r} is a number, so it stands without quotes")
        case ast.Constant(value=int() | float() | str()) if not isinstance(node.value, bool):
            return
        case ast.Name(id=name) if name == "pi" or name.startswith(prefix):
            return
        case ast.BinOp(left, op, right) if type(op) in _ARITHMETIC:
            children = [left, right]
        case ast.UnaryOp(op, operand) if type(op) in _ARITHMETIC:
            children = [operand]
        case ast.Compare(left, ops, comparators) if all(type(op) in _COMPARISONS for op in ops):
            children = [left, *comparators]
        case ast.BoolOp(values=values):
            for value in values:
                if not isinstance(value, (ast.Compare, ast.BoolOp)):
                    raise ExpressionError(f"{source!r}: and, or join comparisons, each with both its sides")
            children = values
        case ast.Call(ast.Name(name), [argument], []) if name in _FUNCTIONS:
            children = [argument]
        case _:
            raise ExpressionError(
                f"{_begun(source)!r}: only numbers, strings, [values], pi, + - * / **, "
                f"{', '.join(_FUNCTIONS)}, comparisons, and, or"
            )
    for child in children:
        _check(child, source, prefix)


def _evaluate(node: ast.expr, values: list):
    match node:
        case ast.Constant(value):
            return value
        case ast.Name("pi"):
            return math.pi
        case ast.Name(name):
            return values[int(name.lstrip("_"))]
        case ast.BinOp(left, ast.Pow(), right):
            return _power(_number(left, values), _number(right, values))
        case ast.BinOp(left, op, right):
            return _ARITHMETIC[type(op)](_number(left, values), _number(right, values))
        case ast.UnaryOp(op, operand):
            return _ARITHMETIC[type(op)](_number(operand, values))
        case ast.Compare(left, ops, comparators):
            nodes = [left, *comparators]
            return all([_compare(op, a, b, values) for op, a, b in zip(ops, nodes, nodes[1:])])
        case ast.BoolOp(ast.And(), parts):
            return all(_evaluate(part, values) for part in parts)
        case ast.BoolOp(_, parts):
            return any(_evaluate(part, values) for part in parts)
        case ast.Call(ast.Name(name), [argument]):
            return _FUNCTIONS[name](_number(argument, values))


def _compare(op: ast.cmpop, left: ast.expr, right: ast.expr, values: list) -> bool:
    a, b = _evaluate(left, values), _evaluate(right, values)
    if not (isinstance(a, str) and isinstance(b, str) and isinstance(op, (ast.Eq, ast.NotEq))):
        a, b = (side.number if isinstance(side, Led) else side for side in (a, b))
    if isinstance(a, str) != isinstance(b, str) and (_is_written(left) or _is_written(right)):
        # Never equal, so it would say the same whatever was captured.
        raise TypeError(f"of {a!r} and {b!r}, one is text and the other a number")
    return _COMPARISONS[type(op)](a, b)


def _number(node: ast.expr, values: list) -> int | float:
    value = _evaluate(node, values)
    if isinstance(value, Led):
        return value.number
    if isinstance(value, (str, bool)):
        raise TypeError(f"{value!r} is no number to calculate with")
    return value


def _power(base: int | float, power: int | float) -> int | float:
    if abs(power) > _LARGEST_POWER:
        raise ValueError(f"a power of {power} is more than {_LARGEST_POWER}")
    if isinstance(base, int) and base.bit_length() * abs(power) > _LARGEST_INTEGER:
        raise ValueError(f"a power of more than {_LARGEST_INTEGER} bits")
    if base < 0 and power != int(power):
        raise ValueError(f"{base} has no power of {power}")
    return base**power


def _is_written(node: ast.expr) -> bool:
    """Whether a side of a comparison stands in the expression itself."""
    return not any(isinstance(part, ast.Name) and part.id != "pi" for part in ast.walk(node))


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
