"""Makes resources/torch_modules.json: what torch's own module classes take, set and register.

    python -m tests.with_torch.make_torch_modules            prints it
    python -m tests.with_torch.make_torch_modules --write    writes the resource

Every class is built with small arguments, then again with one argument changed at a time. An attribute that
never changes is a constant; one that gives itself again when it is passed as an argument is that argument, with a
default when nothing else changes it; every other is derived.
Values that JSON lacks are tagged: {"tuple": [...]}, {"float": "inf"}, {"name": "torch.float32"}; what cannot be
written down at all is {"text": "..."} and is no default. "filled" is what the class gives to an object that it loads
without the attribute, where that is not the default. A class that cannot be built this way has
"built": false: its arguments are known, its attributes are not.
"""

from __future__ import annotations

import collections.abc
import importlib
import inspect
import json
import math
import pkgutil
import sys
import types
import typing
import warnings
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

import torch
from torch import nn

from tests.shared import ROOT

RESOURCE: Final = ROOT / "resources" / "torch_modules.json"
PACKAGES: Final = ("torch.nn", "torch.ao.nn")
MODULES: Final = ("torch.ao.quantization.stubs", "torch.ao.quantization.observer", "torch.optim.swa_utils")


class Maker(NamedTuple):
    """A value that is made afresh for every instance."""

    make: Callable[[], Any]


PLACES: Final = {"nn": nn, "nn.parallel": nn.parallel, "torch.optim.swa_utils": torch.optim.swa_utils}
FORMER: Final = ("_backend", "_compiled_call_impl")
"""What nn.Module set in other versions: 1.0 and before, and on compiled modules."""
MOVED: Final = {
    "torch.nn.intrinsic.": "torch.ao.nn.intrinsic.",
    "torch.nn.modules.linear._LinearWithBias": "torch.nn.modules.linear.NonDynamicallyQuantizableLinear",
    "torch.nn.qat.": "torch.ao.nn.qat.",
    "torch.nn.quantizable.": "torch.ao.nn.quantizable.",
    "torch.nn.quantized.": "torch.ao.nn.quantized.",
    "torch.quantization.": "torch.ao.quantization.",
}
"""Former names of classes, and of packages (these end in a dot)."""
FIRST: Final[Mapping[str, Any]] = {
    "T_destination": None,
    "activation": "relu",
    "bias": True,
    "cutoffs": [2, 4],
    "d_model": 8,
    "dilation": 1,
    "dim": 1,
    "downscale_factor": 2,
    "embed_dim": 8,
    "embedding_dim": 4,
    "groups": 2,
    "hidden_size": 4,
    "in1_features": 3,
    "in2_features": 4,
    "in_channels": 4,
    "in_features": 8,
    "input_size": 3,
    "kernel_size": 3,
    "lower": 0.1,
    "mode": "LSTM",
    "n_classes": 8,
    "nhead": 2,
    "norm_type": 2.0,
    "normalized_shape": [4],
    "num_channels": 4,
    "num_chunks": 4,
    "num_classes": 5,
    "num_embeddings": 5,
    "num_features": 4,
    "num_groups": 2,
    "num_heads": 2,
    "num_layers": 1,
    "out_channels": 4,
    "out_features": 6,
    "output_padding": 0,
    "output_size": 4,
    "padding": 1,
    "padding_mode": "zeros",
    "size": 5,
    "stride": 1,
    "threshold": 0.1,
    "transposed": False,
    "unflattened_size": [2, 2],
    "upscale_factor": 2,
    "value": 20.0,
}
"""Values of arguments that a class requires."""
OTHERS: Final[Mapping[str, tuple[Any, ...]]] = {
    "activation": ("gelu",),
    "approximate": ("tanh",),
    "bidirectional": (True,),
    "cutoffs": ([2, 5],),
    "d_model": (16,),
    "dim": (2,),
    "dtype": (torch.float64,),
    "embed_dim": (16,),
    "groups": (4, 1),
    "in_channels": (8,),
    "in_features": (12,),
    "kdim": (12,),
    "mode": ("bilinear", "max", "mean", "GRU"),
    "nhead": (4,),
    "nonlinearity": ("relu",),
    "norm": (Maker(lambda: nn.LayerNorm(8)),),
    "normalized_shape": ([6],),
    "num_channels": (8,),
    "num_groups": (4,),
    "num_heads": (4,),
    "out_channels": (8,),
    "out_features": (12,),
    "output_ratio": (0.5,),
    "output_size": (5,),
    "padding_mode": ("circular",),
    "pos_weight": (Maker(lambda: torch.ones(2)),),
    "proj_size": (2,),
    "reduction": ("sum",),
    "scale_factor": (2.0,),
    "size": (7,),
    "unflattened_size": ([4, 1],),
    "vdim": (12,),
    "weight": (Maker(lambda: torch.ones(2)),),
}
"""Other values to try, where the default's kind does not give one."""
SPECIAL: Final[Mapping[str, Mapping[str, Any]]] = {
    "AveragedModel": {"model": Maker(lambda: nn.Linear(2, 2))},
    "DataParallel": {"module": Maker(lambda: nn.Linear(2, 2))},
    "FractionalMaxPool2d": {"output_size": 4},
    "FractionalMaxPool3d": {"output_size": 4},
    "QuantWrapper": {"module": Maker(lambda: nn.Linear(2, 2))},
    "TransformerDecoder": {"decoder_layer": Maker(lambda: nn.TransformerDecoderLayer(8, 2))},
    "TransformerEncoder": {"encoder_layer": Maker(lambda: nn.TransformerEncoderLayer(8, 2))},
}
ATTRIBUTES: Final[Mapping[str, Mapping[str, Any]]] = {
    "DataParallel": {
        "device_ids": {"argument": "device_ids"},
        "dim": {"argument": "dim", "default": 0},
        "output_device": {"argument": "output_device"},
        "src_device_obj": {"derived": True},
    }
}
"""Of classes that set other attributes where there is a GPU."""
TOLD_BY_OTHERS: Final = {("RNN", "nonlinearity")}
"""Attributes that others of an older object tell, so that no default fits: the mode of an RNN."""
NDIMS: Final = ("_ConvNd", "_ConvTransposeNd", "_ConvBnNd")
TUPLES: Final = ("kernel_size", "stride", "padding", "dilation", "output_padding")
MACHINERY: Final = frozenset(nn.Module().__dict__)
UNSET: Final = object()


def qualified(cls: type) -> str:
    """The name that a pickle gives the class."""
    return f"{cls.__module__}.{cls.__qualname__}"


def subclasses(cls: type) -> Iterator[type]:
    """All that are loaded, some more than once."""
    for inner in cls.__subclasses__():
        yield inner
        yield from subclasses(inner)


def module_classes() -> dict[str, type[nn.Module]]:
    """Every module class of the packages and modules, by qualified name."""
    for name in (*PACKAGES, *MODULES):
        package = importlib.import_module(name)
        for found in pkgutil.walk_packages(getattr(package, "__path__", ()), f"{name}."):
            importlib.import_module(found.name)
    wanted = (*(f"{name}." for name in PACKAGES), *(f"{name}." for name in MODULES))
    named = {qualified(cls): cls for cls in (nn.Module, *subclasses(nn.Module))}
    return {name: named[name] for name in sorted(named) if name.startswith(wanted) and "<locals>" not in name}


def parameters_of(cls: type[nn.Module]) -> list[inspect.Parameter]:
    """The constructor's parameters; those of an overload where the code takes anything."""
    if cls.__init__ is nn.Module.__init__:
        return []
    overloads = typing.get_overloads(cls.__init__)
    signature = inspect.signature(overloads[0] if overloads else cls.__init__)
    found = list(signature.parameters.values())[1:]
    if [one.kind.name for one in found] != ["VAR_POSITIONAL", "VAR_KEYWORD"] or cls is nn.Identity:
        return found
    inner = next(base for base in cls.__mro__[1:] if base.__init__ is not cls.__init__)
    return parameters_of(inner) if issubclass(inner, nn.Module) and inner is not nn.Module else found


def type_text(annotation: Any) -> str | None:
    """The annotation as people write it today."""
    if annotation is inspect.Parameter.empty:
        return None
    if isinstance(annotation, str):
        return annotation.replace("typing.", "")
    if annotation is None or annotation is type(None):
        return "None"
    origin, inner = typing.get_origin(annotation), typing.get_args(annotation)
    if origin in (typing.Union, types.UnionType):
        return " | ".join(text for one in inner if (text := type_text(one)))
    if origin is typing.Literal:
        return f"Literal[{', '.join(map(repr, inner))}]"
    if origin is collections.abc.Callable:
        return "Callable"
    if origin is not None:
        texts = ["..." if one is Ellipsis else type_text(one) or "" for one in inner]
        return f"{origin.__name__}[{', '.join(texts)}]" if texts else str(origin.__name__)
    if isinstance(annotation, typing.TypeVar):
        return type_text(annotation.__bound__ or Any)
    if isinstance(annotation, type):
        return f"torch.{annotation.__name__}" if annotation.__module__ == "torch" else annotation.__name__
    return str(annotation).replace("typing.", "")


def function_name(value: Any) -> str | None:
    """The name below torch that gives a function or a class, or None."""
    name = f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', '')}"
    builtin = {"torch._C._nn.gelu": "torch.nn.functional.gelu"}
    short = builtin.get(f"torch._C._nn.{getattr(value, '__name__', '')}", name)
    return short if short.startswith("torch.") and "<" not in short else None


def tagged(value: Any) -> Any:
    """A value as JSON; {"text": ...} where it cannot be."""
    if value is None or isinstance(value, bool | str) or type(value) is int:
        return value
    if type(value) is float:
        return value if math.isfinite(value) else {"float": repr(value)}
    if isinstance(value, tuple):
        return {"tuple": [tagged(one) for one in value]}
    if type(value) is list:
        return [tagged(one) for one in value]
    if isinstance(value, torch.dtype | torch.device | torch.qscheme):
        return {"name": str(value)}
    if callable(value) and not isinstance(value, nn.Module) and function_name(value):
        return {"name": function_name(value)}
    return {"text": f"a {type(value).__name__}"}


def untold(value: Any) -> bool:
    """Whether a tagged value holds something that is not written down."""
    if isinstance(value, list):
        return any(untold(one) for one in value)
    if isinstance(value, dict):
        return "text" in value or any(untold(one) for one in value.values())
    return False


def made(value: Any) -> Any:
    """A fresh value of a table above."""
    return value.make() if isinstance(value, Maker) else value


def first_arguments(cls: type[nn.Module], parameters: list[inspect.Parameter]) -> dict[str, Any]:
    """Values of the arguments that the class requires. Raises KeyError for a name that has none."""
    special = SPECIAL.get(cls.__name__, {})
    found = dict(special)
    for one in parameters:
        if one.default is one.empty and one.kind.name == "POSITIONAL_OR_KEYWORD" and one.name not in special:
            value = FIRST[one.name]
            found[one.name] = (value,) if cls.__name__ in NDIMS and one.name in TUPLES else value
    return found


def other_values(parameter: inspect.Parameter, given: Mapping[str, Any]) -> list[Any]:
    """Values to try instead of the default or the given one."""
    value = given.get(parameter.name, parameter.default)
    found = list(OTHERS.get(parameter.name, ()))
    if type(value) is bool:
        found.append(not value)
    elif type(value) is int:
        found.append(value + 1)
    elif type(value) is float:
        found.append(value * 0.5 + 0.125)
    elif type(value) is tuple:
        found.append(tuple(one + 1 for one in value))
    elif value is None and not found and parameter.name not in ("device", "dtype"):
        found += [2, True, 0.5]
    return found


def build(cls: type[nn.Module], arguments: Mapping[str, Any]) -> nn.Module | None:
    """An instance, or None where the class refuses these arguments."""
    try:
        return cls(**{name: made(value) for name, value in arguments.items()})
    except Exception:  # noqa: BLE001 - whatever a constructor raises, it does not take these arguments
        return None


def own(instance: nn.Module) -> dict[str, Any]:
    """The attributes that the class itself sets, tagged."""
    return {name: tagged(value) for name, value in instance.__dict__.items() if name not in MACHINERY}


def causes(
    cls: type[nn.Module], parameters: list[inspect.Parameter], given: dict[str, Any], instance: nn.Module
) -> dict[str, set[str]]:
    """Which arguments each attribute depends on."""
    attributes = own(instance)
    found: dict[str, set[str]] = {name: set() for name in attributes}
    registered = instance._parameters.keys() | instance._buffers.keys() | instance._modules.keys()
    for parameter in parameters:
        for value in other_values(parameter, given):
            other = build(cls, {**given, parameter.name: value})
            changed = attributes if other is None else own(other)
            for name in (changed.keys() | attributes.keys()) - registered:
                if changed.get(name, UNSET) != attributes.get(name, UNSET):
                    found.setdefault(name, set()).add(parameter.name)
    return found


def gives_itself(cls: type[nn.Module], given: dict[str, Any], parameter: inspect.Parameter, name: str) -> bool:
    """Whether an attribute, passed as the argument, comes out the same again."""
    for value in (UNSET, *other_values(parameter, given)):
        first = build(cls, given if value is UNSET else {**given, parameter.name: value})
        if first is None or name not in first.__dict__ or isinstance(first.__dict__[name], nn.Module):
            continue
        kept = first.__dict__[name]
        second = build(cls, {**given, parameter.name: kept})
        if second is None or tagged(second.__dict__.get(name, UNSET)) != tagged(kept):
            return False
    return True


def attribute_facts(
    cls: type[nn.Module], parameters: list[inspect.Parameter], given: dict[str, Any], name: str, by: set[str]
) -> dict[str, Any]:
    """One attribute's entry."""
    value = own(cls(**{key: made(one) for key, one in given.items()})).get(name, {"text": "not set"})
    named = {one.name: one for one in parameters}
    alone = next(iter(by)) if len(by) == 1 else None
    same = alone in named and tagged(named[alone].default) == value
    source = name if name in named else alone if same else None
    if source is None or not gives_itself(cls, given, named[source], name):
        return {"default": value} if not by and not untold(value) else {"derived": True}
    constant = not by - {source} and source not in given and not untold(value)
    told = (cls.__name__, name) in TOLD_BY_OTHERS
    return {"argument": source, "default": value} if constant and not told else {"argument": source}


def filled(instance: nn.Module, name: str) -> dict[str, Any]:
    """What the class gives to an object that it loads without the attribute: nothing, or {"filled": ...}."""
    cls = type(instance)
    state = {key: value for key, value in instance.__dict__.items() if key != name}
    loaded = cls.__new__(cls)
    try:
        loaded.__setstate__(state)
    except Exception:  # noqa: BLE001 - a class that cannot load without it gives it nothing
        return {}
    value = tagged(loaded.__dict__[name]) if name in loaded.__dict__ else {"text": "not set"}
    return {} if untold(value) else {"filled": value}


def with_filled(instance: nn.Module, name: str, facts: dict[str, Any]) -> dict[str, Any]:
    """The entry, with what the class fills in where that is no plain default."""
    found = {} if "derived" in facts else filled(instance, name)
    return facts if found.get("filled", UNSET) == facts.get("default", UNSET) else {**facts, **found}


def argument_facts(parameter: inspect.Parameter) -> list[Any]:
    """[name, type, null or {"default": ...}]; stars before the name of one that takes any number."""
    stars = {"VAR_POSITIONAL": "*", "VAR_KEYWORD": "**"}.get(parameter.kind.name, "")
    default = None if parameter.default is parameter.empty else {"default": tagged(parameter.default)}
    return [f"{stars}{parameter.name}", type_text(parameter.annotation), default]


def alias(name: str, cls: type) -> str | None:
    """What people write: nn.Conv2d; None where only the module path gives it."""
    for place, module in PLACES.items():
        if getattr(module, cls.__name__, None) is cls:
            return f"{place}.{cls.__name__}"
    parts = name.split(".")
    for length in range(2, len(parts) - 1):
        holder = sys.modules.get(".".join(parts[:length]))
        if getattr(holder, cls.__name__, None) is cls:
            return ".".join((*parts[:length], cls.__name__))
    return None


def class_facts(name: str, cls: type[nn.Module]) -> dict[str, Any]:
    """One class's entry."""
    parameters = parameters_of(cls)
    bases = [qualified(base) for base in cls.__mro__[1:] if issubclass(base, nn.Module)]
    facts: dict[str, Any] = {"alias": alias(name, cls), "bases": bases, "version": cls._version}
    facts["arguments"] = [argument_facts(one) for one in parameters]
    try:
        given = first_arguments(cls, parameters)
    except KeyError:
        given = {}
    instance = build(cls, given)
    if instance is None:
        return {**facts, "built": False}
    by = causes(cls, parameters, given, instance)
    facts["attributes"] = ATTRIBUTES.get(cls.__name__) or {
        one: with_filled(instance, one, attribute_facts(cls, parameters, given, one, by[one])) for one in sorted(by)
    }
    facts["parameters"] = list(instance._parameters)
    facts["buffers"] = list(instance._buffers)
    facts["children"] = {child: qualified(type(inner)) for child, inner in instance._modules.items()}
    return facts


def table() -> str:
    """The whole resource: a line a class."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        classes = {name: class_facts(name, cls) for name, cls in module_classes().items()}
    lines = [f"  {json.dumps(name)}: {json.dumps(facts)}" for name, facts in classes.items()]
    head = {
        "torch": torch.__version__.partition("+")[0],
        "machinery": sorted(MACHINERY),
        "former": sorted(FORMER),
        "moved": MOVED,
    }
    first = "\n".join(f" {json.dumps(key)}: {json.dumps(value)}," for key, value in head.items())
    return f'{{\n{first}\n "classes": {{\n' + ",\n".join(lines) + "\n }\n}\n"


if __name__ == "__main__":
    if "--write" in sys.argv[1:]:
        RESOURCE.write_text(table(), encoding="utf-8")
    else:
        sys.stdout.write(table())
