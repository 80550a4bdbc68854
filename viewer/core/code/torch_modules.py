"""What torch's own module classes take, set and register: facts of one version, from resources/torch_modules.json.

The table is made by tests/with_torch/make_torch_modules.py, so no torch is needed here.
"""

from __future__ import annotations

import json
from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from viewer import resources

RESOURCE: Final = "torch_modules.json"


@dataclass(frozen=True, slots=True)
class TorchName:
    """A default that only torch can give: `name` is the path below torch, as `torch.nn.functional.relu`."""

    name: str


@dataclass(frozen=True, slots=True)
class Untold:
    """A default that cannot be written down; `text` says what it is, for people."""

    text: str


@dataclass(frozen=True, slots=True)
class TorchArgument:
    """One parameter of a constructor.

    `name`: with `*` or `**` before it where it takes any number. `type`: as annotated, None where it is not.
    `default`: of a parameter that is not `required`; plain values, tuples, TorchName or Untold.
    """

    name: str
    type: str | None
    required: bool
    default: object = None


@dataclass(frozen=True, slots=True)
class TorchAttribute:
    """One attribute that a class sets on its instances, other than parameters, buffers and children.

    `argument`: the constructor's parameter that it is, or None. `has_default`: whether `default` is what an
    instance has that was made without that argument. `has_filled`: whether torch gives `filled` to an object that it
    loads without the attribute, where that is not the default. `derived`: computed from several arguments.
    """

    argument: str | None = None
    has_default: bool = False
    default: object = None
    derived: bool = False
    has_filled: bool = False
    filled: object = None


@dataclass(frozen=True, slots=True)
class TorchClass:
    """One module class of torch.

    `name`: as a pickle has it. `alias`: as people write it (`nn.Conv2d`), None for a private class. `bases`: in
    method resolution order, without what is no module. `parameters`, `buffers`, `children` (name to class): those
    of a small instance, also where they are None. `version`: the class's own of the state_dict. `built`: False
    where no instance could be made: the attributes are then not known.
    """

    name: str
    alias: str | None
    bases: tuple[str, ...]
    version: int
    arguments: tuple[TorchArgument, ...]
    attributes: Mapping[str, TorchAttribute] = field(default_factory=dict)
    parameters: tuple[str, ...] = ()
    buffers: tuple[str, ...] = ()
    children: Mapping[str, str] = field(default_factory=dict)
    built: bool = True


@dataclass(frozen=True, slots=True)
class TorchModules:
    """The whole table.

    `torch`: the version it was made with. `machinery`: attributes that nn.Module itself sets. `former`: such
    attributes of other versions. `moved`: former names of classes, and of packages (these end in a dot).
    """

    torch: str
    machinery: frozenset[str]
    former: frozenset[str]
    moved: Mapping[str, str]
    classes: Mapping[str, TorchClass]


def _plain(value: Any) -> object:
    """A value of the resource without its tags."""
    if isinstance(value, list):
        return [_plain(one) for one in value]
    if not isinstance(value, dict):
        return value
    ((tag, inner),) = value.items()
    if tag == "float":
        return float(inner)
    if tag == "tuple":
        return tuple(_plain(one) for one in inner)
    return TorchName(inner) if tag == "name" else Untold(inner)


def _argument(row: list[Any]) -> TorchArgument:
    name, type_text, default = row
    required = default is None and not name.startswith("*")
    return TorchArgument(name, type_text, required, _plain(default["default"]) if default else None)


def _attribute(row: dict[str, Any]) -> TorchAttribute:
    default = _plain(row["default"]) if "default" in row else None
    filled = _plain(row["filled"]) if "filled" in row else None
    derived = row.get("derived", False)
    return TorchAttribute(row.get("argument"), "default" in row, default, derived, "filled" in row, filled)


def _class(name: str, row: dict[str, Any]) -> TorchClass:
    return TorchClass(
        name,
        row["alias"],
        tuple(row["bases"]),
        row["version"],
        tuple(_argument(one) for one in row["arguments"]),
        {key: _attribute(one) for key, one in row.get("attributes", {}).items()},
        tuple(row.get("parameters", ())),
        tuple(row.get("buffers", ())),
        row.get("children", {}),
        row.get("built", True),
    )


@cache
def torch_modules() -> TorchModules:
    """The table, read once."""
    table = json.loads(resources.read_text(RESOURCE))
    return TorchModules(
        table["torch"],
        frozenset(table["machinery"]),
        frozenset(table["former"]),
        table["moved"],
        {name: _class(name, row) for name, row in table["classes"].items()},
    )


def torch_classes() -> Mapping[str, TorchClass]:
    """All classes of the table by the name that a pickle gives them today."""
    return torch_modules().classes


def machinery() -> frozenset[str]:
    """Attributes that nn.Module itself sets, in this version and in others."""
    return torch_modules().machinery | torch_modules().former


def torch_class(name: str) -> TorchClass | None:
    """The class of a qualified name, also of a former one; None for any other."""
    table = torch_modules()
    moved = table.moved.get(name)
    if moved is None:
        prefixes = (old for old in table.moved if old.endswith(".") and name.startswith(old))
        moved = next((table.moved[old] + name.removeprefix(old) for old in prefixes), name)
    return table.classes.get(moved)


def missing_attributes(name: str, held: Container[str]) -> dict[str, object]:
    """What an object of the class lacks of the attributes that a plain value fits, with what torch would give it.

    `held`: names of the object's attributes. Empty for a class that is not in the table.
    """
    known = torch_class(name)
    if known is None:
        return {}
    return {
        attribute: facts.filled if facts.has_filled else facts.default
        for attribute, facts in known.attributes.items()
        if (facts.has_default or facts.has_filled) and attribute not in held
    }
