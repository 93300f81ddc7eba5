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

_REFERENCE = re.compile(r"\[([^\[\]]+)\]")
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


class ExpressionError(Exception):
    """An expression that cannot be read, or whose values do not allow it."""


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

    def evaluate(self, look_up: Callable[[Reference], float | str]) -> float | str | bool:
        """Compute it, with ``look_up`` giving each captured value. Raises ``ExpressionError``."""
        values = [look_up(reference) for reference in self.references]
        try:
            return _evaluate(self._tree, values)
        except ZeroDivisionError:
            raise ExpressionError(f"{self.source!r} divides by zero") from None
        except (OverflowError, TypeError, ValueError) as error:
            raise ExpressionError(f"{self.source!r}: {error}") from None


def parse(source: str) -> Expression:
    """Parse an expression. Raises ``ExpressionError``."""
    references: list[Reference] = []

    def replaced(match: re.Match) -> str:
        references.append(_reference(match[1]))
        return f" _{len(references) - 1} "

    try:
        tree = ast.parse(_REFERENCE.sub(replaced, source).strip(), mode="eval").body
    except SyntaxError as error:
        raise ExpressionError(f"{source!r} is no expression: {error.msg}") from None
    _check(tree, source)
    return Expression(source, tuple(references), tree)


def _reference(text: str) -> Reference:
    *heads, label = (piece.strip() for piece in re.split(r"\s\|\s", text))
    snippet = heads.pop(0) if heads and re.fullmatch(r"\w+/\w+", heads[0]) else None
    runner = heads.pop(0) if heads and heads[0] in RUNNERS else None
    section = heads.pop(0) if heads else None
    if heads or not label:
        raise ExpressionError(f"[{text}] is no value; it reads [chapter/snippet | runner | section | label]")
    return Reference(label, section, runner, snippet)


def _check(node: ast.expr, source: str) -> None:
    match node:
        case ast.Constant(value=int() | float() | str()) if not isinstance(node.value, bool):
            return
        case ast.Name(id=name) if name == "pi" or re.fullmatch(r"_\d+", name):
            return
        case ast.BinOp(left, op, right) if type(op) in _ARITHMETIC:
            children = [left, right]
        case ast.UnaryOp(op, operand) if type(op) in _ARITHMETIC:
            children = [operand]
        case ast.Compare(left, ops, comparators) if all(type(op) in _COMPARISONS for op in ops):
            children = [left, *comparators]
        case ast.BoolOp(values=values):
            children = values
        case ast.Call(ast.Name(name), [argument], []) if name in _FUNCTIONS:
            children = [argument]
        case _:
            raise ExpressionError(
                f"{source!r}: only numbers, strings, [values], pi, + - * / **, {', '.join(_FUNCTIONS)}, "
                "comparisons, and, or"
            )
    for child in children:
        _check(child, source)


def _evaluate(node: ast.expr, values: list):
    match node:
        case ast.Constant(value):
            return value
        case ast.Name("pi"):
            return math.pi
        case ast.Name(name):
            return values[int(name[1:])]
        case ast.BinOp(left, ast.Pow(), right):
            base, power = _evaluate(left, values), _evaluate(right, values)
            if abs(power) > _LARGEST_POWER:
                raise ExpressionError(f"a power of {power} is more than {_LARGEST_POWER}")
            return base**power
        case ast.BinOp(left, op, right):
            return _ARITHMETIC[type(op)](_evaluate(left, values), _evaluate(right, values))
        case ast.UnaryOp(op, operand):
            return _ARITHMETIC[type(op)](_evaluate(operand, values))
        case ast.Compare(left, ops, comparators):
            sides = [_evaluate(side, values) for side in (left, *comparators)]
            return all(_COMPARISONS[type(op)](a, b) for op, a, b in zip(ops, sides, sides[1:]))
        case ast.BoolOp(ast.And(), parts):
            return all(_evaluate(part, values) for part in parts)
        case ast.BoolOp(_, parts):
            return any(_evaluate(part, values) for part in parts)
        case ast.Call(ast.Name(name), [argument]):
            return _FUNCTIONS[name](_evaluate(argument, values))
