"""Which of a function's statements are sure to run: a walk over branches, loops, handlers and early returns.

Statements are told by tokens that the caller finds in their expressions. A token is sure when every way through
the function that ends without an exception passes it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field

Tokens = Callable[[ast.AST], Iterable[Hashable]]
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_APART = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@dataclass(slots=True)
class _Outcome:
    """What a block is sure to pass. `falls`: it may reach its end.

    `leaves`: it may leave the function or the loop around it; `returns`: the function.
    """

    sure: set[Hashable] = field(default_factory=set)
    falls: bool = True
    leaves: bool = False
    returns: bool = False


def sure_tokens(body: Sequence[ast.stmt], tokens: Tokens) -> set[Hashable]:
    """The tokens of a function's body that are sure. Raises RecursionError for branches nested too deep."""
    return _block(body, tokens).sure


def _block(body: Sequence[ast.stmt], tokens: Tokens) -> _Outcome:
    found = _Outcome()
    for node in body:
        outcome = _statement(node, tokens)
        # behind a way out nothing is sure any more
        if not found.leaves:
            found.sure |= outcome.sure
        found.leaves |= outcome.leaves
        found.returns |= outcome.returns
        if not outcome.falls:
            found.falls = False
            break
    return found


def _statement(node: ast.stmt, tokens: Tokens) -> _Outcome:
    if isinstance(node, _APART):
        return _Outcome()
    if isinstance(node, ast.If):
        either = _either([_block(node.body, tokens), _block(node.orelse, tokens)])
        either.sure |= set(tokens(node.test))
        return either
    if isinstance(node, _LOOPS):
        return _loop(node, tokens)
    if isinstance(node, ast.With | ast.AsyncWith):
        inside = _block(node.body, tokens)
        for item in node.items:
            inside.sure |= set(tokens(item))
        return inside
    if isinstance(node, ast.Try) or type(node).__name__ == "TryStar":
        return _try(node, tokens)
    if isinstance(node, ast.Match):
        return _match(node, tokens)
    returns = isinstance(node, ast.Return)
    leaves = returns or isinstance(node, ast.Break | ast.Continue)
    return _Outcome(set(tokens(node)), not leaves and not isinstance(node, ast.Raise), leaves, returns)


def _either(ways: Sequence[_Outcome]) -> _Outcome:
    """One of several blocks runs; those that only raise do not count."""
    ending = [way for way in ways if way.falls or way.leaves]
    if not ending:
        return _Outcome(falls=False)
    sets = sorted((way.sure for way in ending), key=len)
    sure = sets[0].intersection(*sets[1:])
    falls, leaves, returns = (any(getattr(way, name) for way in ending) for name in ("falls", "leaves", "returns"))
    return _Outcome(sure, falls, leaves, returns)


def _loop(node: ast.stmt, tokens: Tokens) -> _Outcome:
    """The body of a loop may not run; a return in it may leave the function."""
    assert isinstance(node, _LOOPS)
    body, rest = _block(node.body, tokens), _block(node.orelse, tokens)
    head = set(tokens(node.test if isinstance(node, ast.While) else node.iter))
    returns = body.returns or rest.returns
    return _Outcome(head, True, returns, returns)


def _try(node: ast.AST, tokens: Tokens) -> _Outcome:
    body, handlers, orelse, final = (getattr(node, name) for name in ("body", "handlers", "orelse", "finalbody"))
    tried = _block([*body, *orelse], tokens)
    found = _either([tried, *(_block(handler.body, tokens) for handler in handlers)])
    last = _block(final, tokens)
    found.sure |= last.sure
    found.falls &= last.falls
    found.leaves |= last.leaves
    found.returns |= last.returns
    return found


def _match(node: ast.Match, tokens: Tokens) -> _Outcome:
    ways = [_block(case.body, tokens) for case in node.cases]
    last = node.cases[-1]
    takes_all = last.guard is None and isinstance(last.pattern, ast.MatchAs) and last.pattern.pattern is None
    found = _either(ways if takes_all else [*ways, _Outcome()])
    found.sure |= set(tokens(node.subject))
    return found
