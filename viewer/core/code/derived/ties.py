"""One object under two names: submodules and parameters that the objects of a class share with themselves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from viewer.core.code.derived.literals import MODULE_NAMES, is_attribute
from viewer.core.code.derived.objects import ObjectTerms
from viewer.wording.skeletons import TIED


def ties(objects: ObjectTerms, instances: Sequence[int]) -> tuple[dict[str, str], list[str]]:
    """What is one in every object: submodules by later and first name, and statements that make parameters one."""
    common: dict[tuple[str, str], None] = {}
    for number, value in enumerate(instances):
        found = dict.fromkeys(_pairs(objects, value))
        common = found if number == 0 else {pair: None for pair in common if pair in found}
        if not common:
            return {}, []
    modules = {later: first for later, first in common if later in objects.state(instances[0]).children}
    tied = [f"self.{later} = self.{first}" for later, first in common if later not in modules]
    return modules, [f"# {TIED}", *tied] if tied else []


def _pairs(objects: ObjectTerms, value: int) -> Iterator[tuple[str, str]]:
    """Later and first name of what stands in an object, or in its submodules, twice."""
    first: dict[int, str] = {}
    state = objects.state(value)
    for name, child in state.children.items():
        if not _is_simple(name) or not objects.is_module(child) or not _has_state(objects, child):
            continue
        if child in first:
            yield name, first[child]
        first.setdefault(child, name)
    own = [("", name, one) for name, one in state.parameters.items()]
    for child, name in first.items():
        own += [(f"{name}.", inner, one) for inner, one in objects.state(child).parameters.items()]
    seen: dict[int, str] = {}
    for prefix, name, one in own:
        if not _is_simple(name) or objects.plain.tensor(one) is None:
            continue
        if one in seen:
            yield prefix + name, seen[one]
        seen.setdefault(one, prefix + name)


def _has_state(objects: ObjectTerms, value: int) -> bool:
    state = objects.state(value)
    return bool(state.parameters or state.buffers or state.children)


def _is_simple(name: str) -> bool:
    return is_attribute(name) and name not in MODULE_NAMES
