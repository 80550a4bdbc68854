"""Objects as terms: torch's own modules by their constructors, own objects by the calls of their skeletons."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Final

from viewer.core.code.derived.constructors import MISSING, Given, Reader, arguments_of
from viewer.core.code.derived.literals import MODULE_NAMES, number, quoted, shown
from viewer.core.code.derived.plain import MOST_ENTRIES, MOST_PARTS, PlainTerms
from viewer.core.code.derived.references import module_alias
from viewer.core.code.derived.shapes import COUNTER, Shapes, registered
from viewer.core.code.derived.state import State, States
from viewer.core.code.derived.terms import HELPER, Made, Part, Terms
from viewer.core.code.derived.wrappers import wrappers
from viewer.core.code.python_text import is_plain_name
from viewer.core.code.texts import is_own
from viewer.core.code.torch_modules import TorchClass, torch_class
from viewer.core.objects.names import named
from viewer.core.pickles.values import Kind, Values
from viewer.core.progress import Progress
from viewer.core.tensors.tensor import Tensor
from viewer.wording import fill
from viewer.wording.skeletons import STAND_IN, TOO_LARGE

MOST_MODULES: Final = 100_000
"""Leaves of one module that are written out."""
DEEPEST: Final = 60
_MOST_EXTRA: Final = 50
_DEEPEST_PART: Final = 8
_NUMBERED: Final = {
    "nn.Sequential": ("nn.Sequential(", ")"),
    "nn.ModuleList": ("nn.ModuleList([", "])"),
    "nn.ParameterList": ("nn.ParameterList([", "])"),
}
_NAMED: Final = {"nn.ModuleDict": "nn.ModuleDict({", "nn.ParameterDict": "nn.ParameterDict({"}
_NAMESPACES: Final = frozenset({"argparse.Namespace", "types.SimpleNamespace"})
_STACKS: Final = {"nn.TransformerEncoder": "encoder_layer", "nn.TransformerDecoder": "decoder_layer"}
# Arguments that put ready-made parts into a module.
_READY: Final = {("nn.Transformer", "custom_encoder"): "encoder", ("nn.Transformer", "custom_decoder"): "decoder"}
# Attributes that torch's classes had once.
_FORMER: Final = frozenset({"dropout_state", "data_ptrs", "param_buf_size", "all_weights"})


class ObjectTerms:
    """Makes the term of any value. Nothing recurses; a value is made once.

    `names`: qualified class names of the objects of the stream. `reference(name)`: code for a class of the person
    where it is only named. Put in from outside: `calls`, how an own object is made, and
    `is_visible`, whether its class can be named where code is written. Any other own object is a leaf that only an
    argument can stand for.
    """

    def __init__(
        self,
        values: Values,
        terms: Terms,
        names: Mapping[int, str],
        reference: Callable[[str], str],
        encoding: str,
        progress: Progress,
    ) -> None:
        self.values, self.terms, self.encoding = values, terms, encoding
        self.plain = PlainTerms(values, terms, encoding)
        self.calls: dict[int, int] = {}
        self._names, self._reference = names, reference
        self._made = Made(terms.none)
        self._local: list[int] = []
        self.state = States(values, encoding, progress).get
        self.is_visible: Callable[[int], bool] = lambda value: True
        self._reader = Reader(self.plain.plain, self.state)

    def object_leaf(self, value: int) -> int:
        """The leaf that stands for an object."""
        return self.terms.leaf("...", instance=value)

    def forget(self) -> None:
        """Make anew what had own objects in it: their calls are known by now."""
        for value in self._local:
            self._made.pop(value, None)
        self._local.clear()

    def is_module(self, value: int) -> bool:
        """True for a module, torch's own or not."""
        return value in self._names and self.state(value).is_module

    def fits(self, value: int, *, is_module: bool) -> bool:
        """True for what can be registered as a submodule, or as a buffer: None can always."""
        if value < 0 or self.values.kind(value) is Kind.NONE:
            return True
        return self.is_module(value) if is_module else self.plain.tensor(value) is not None

    def own(self, value: int) -> bool:
        """True for an object of an own class."""
        name = self._names.get(value)
        return name is not None and is_own(name)

    def _is_module(self, value: int) -> bool:
        """True for a module of torch's own class."""
        return self._names.get(value, "").startswith("torch.") and self.state(value).is_module

    def parts(self, value: int) -> Sequence[int]:
        """The values that are terms inside the term of a value."""
        if value < 0 or self.own(value):
            return ()
        if self._is_module(value):
            state = self.state(value)
            return (*state.attributes.values(), *state.children.values())
        if self._names.get(value) in _NAMESPACES:
            return tuple(self.state(value).attributes.values())
        return () if value in self._names else self.plain.parts(value)

    def term(self, value: int) -> int:
        """The term of a value."""
        opened: dict[int, Sequence[int]] = {}
        waiting = [value]
        while waiting:
            number = waiting[-1]
            if number in self._made:
                waiting.pop()
            elif number in opened:
                waiting.pop()
                self._keep(number, self._make(number))
            else:
                opened[number] = self.parts(number)
                waiting += [part for part in opened[number] if part not in self._made and part not in opened]
        return self._made[value]

    def _keep(self, value: int, term: int) -> None:
        held = self.terms[term]
        if held.depth > DEEPEST or held.size > MOST_MODULES:
            term = self.terms.leaf("None", fill(TOO_LARGE, {"name": shown(self._names.get(value, ""))}))
        self._made[value] = term
        if held.has_instance or self.own(value):
            self._local.append(value)

    def _make(self, value: int) -> int:
        if value < 0:
            return self.terms.none
        if self.own(value):
            return self.calls[value] if value in self.calls and self.is_visible(value) else self.object_leaf(value)
        if self._is_module(value):
            return self._module(value)
        if value in self._names:
            return self._namespace(value) if self._names[value] in _NAMESPACES else self.plain.left_out(value)
        if self.values.kind(value) in (Kind.GLOBAL, Kind.PERSISTENT):
            reference = self._reference(named(self.values, value, self.encoding))
            if reference:
                return self.terms.leaf(reference)
        return self.plain.make(value, self._made)

    def _namespace(self, value: int) -> int:
        """A bag of attributes; where a name is none that can be written so, what it is."""
        held = self.state(value).attributes
        if not all(is_plain_name(name) for name in held) or len(held) > MOST_ENTRIES:
            return self.plain.left_out(value)
        parts = [Part(f"{name}=", name, self._made[child]) for name, child in held.items()]
        term = self.terms.call(f"{self._names[value]}(", parts)
        return term if self.terms[term].size <= MOST_PARTS else self.plain.left_out(value)

    # -- torch's own modules ----------------------------------------------------------------------

    def _module(self, value: int) -> int:
        state = self.state(value)
        known = torch_class(self._names[value])
        alias = module_alias(self._names[value])
        if known is None or not alias or not known.built:
            return self._stand_in(value, state)
        call = self._container(alias, state)
        if call < 0 and alias in (*_NUMBERED, *_NAMED):
            call = self._held(self.terms.leaf(f"{alias}()"), state, "_parameters", "_buffers", "_modules")
        elif call < 0:
            call = self._constructed(known, state)
        return self._with_extra(call, known, state) if call >= 0 else self._stand_in(value, state)

    def _stand_in(self, value: int, state: State) -> int:
        """A bare module with all that the object holds, for a class that cannot be made from its state."""
        name = self._names[value]
        note = "" if name == "torch.nn.modules.module.Module" else fill(STAND_IN, {"name": shown(name)})
        return self._held(self.terms.leaf("nn.Module()", note), state, "_parameters", "_buffers", "_modules")

    def _container(self, alias: str, state: State) -> int:
        """A container with what stands in it; -1: it is none, or holds more than it is given."""
        held = state.parameters if alias.startswith("nn.Parameter") else state.children
        other = state.children if alias.startswith("nn.Parameter") else state.parameters
        if alias not in (*_NUMBERED, *_NAMED) or other or state.buffers:
            return -1
        made = self.plain.parameter if held is state.parameters else self._made.__getitem__
        if alias in _NUMBERED:
            if list(held) != [str(at) for at in range(len(held))]:
                return self._ordered(held) if alias == "nn.Sequential" else -1
            opening, closing = _NUMBERED[alias]
            if not held:
                return self.terms.leaf(f"{alias}()")
            parts = [Part("", name, made(child)) for name, child in held.items()]
            return self.terms.call(opening, parts, closing, is_open=True)
        if any(name in MODULE_NAMES or "." in name or not name for name in held):
            return -1
        parts = [Part(f"{quoted(name)}: ", name, made(child)) for name, child in held.items()]
        return self.terms.call(_NAMED[alias], parts, "})", is_open=True) if parts else self.terms.leaf(f"{alias}()")

    def _ordered(self, held: Mapping[str, int]) -> int:
        """A Sequential whose submodules have names; -1 where one of them is none that nn.Module takes."""
        if any(name in MODULE_NAMES or "." in name or not name for name in held):
            return -1
        parts = [Part(f"{quoted(name)}: ", name, self._made[child]) for name, child in held.items()]
        return self.terms.call("nn.Sequential(OrderedDict({", parts, "}))", is_open=True)

    def _constructed(self, known: TorchClass, state: State) -> int:
        """The call of a constructor, with what it would not make put in; -1: an argument is lacking."""
        alias = known.alias or ""
        if alias in _STACKS:
            return self._stack(alias, state)
        found = self.arguments(known, state)
        if found is None:
            return -1
        parts, facts, given = found
        facts = {**facts, **{name: tensor.shape for name, tensor in self._given_buffers(known, state)}}
        call = self.call(f"{alias}(", parts)
        own = {name for name in state.children if name not in given}
        expected = registered(alias, facts)
        if expected is None and not known.parameters and not known.buffers and not own:
            expected = {}
        if expected is not None:
            for function, more in wrappers(expected, self._registered(state, own)):
                wrapping = [Part(f"{name}=", name, self.terms.leaf(text)) for name, text in more]
                call = self.call(function, [Part("", "", call), *wrapping])
            if self.fits_shapes(state, expected, own):
                return call
        modules = ("_modules",) if own else ()
        makes = [kind for kind, names in (("_parameters", known.parameters), ("_buffers", known.buffers)) if names]
        return self._held(call, state, "_parameters", "_buffers", *modules, makes=makes)

    def call(self, head: str, parts: Sequence[Part]) -> int:
        """A call whose arguments can become arguments of the class that makes it."""
        return self.terms.call(head, parts, is_open=True)

    def arguments(self, known: TorchClass, state: State) -> tuple[list[Part], dict[str, object], set[str]] | None:
        """What a constructor was given as parts of a call, all facts, and the submodules that were given."""
        found = arguments_of(known, state, self._reader)
        if found is None:
            return None
        parts, given = [], set()
        for one in found[0]:
            parts.append(Part(f"{one.name}=", one.name, self._argument(one, state)))
            given.add(one.name)
        for (alias, name), child in _READY.items():
            if alias == known.alias and child in state.children:
                parts.append(Part(f"{name}=", name, self._made[state.children[child]]))
                given.add(child)
        kinds = self._types(state)
        if kinds != {"float32"} and len(kinds) == 1 and any(one.name == "dtype" for one in known.arguments):
            parts.append(Part("dtype=", "dtype", self.terms.leaf(f"torch.{kinds.pop()}")))
        return parts, found[1], given

    def _argument(self, one: Given, state: State) -> int:
        if one.value < 0:
            return self.terms.leaf(written(one.plain))
        if one.value in state.buffers.values():
            return self.plain.make(one.value, self._made)
        return self._made[one.value]

    def _given_buffers(self, known: TorchClass, state: State) -> Iterator[tuple[str, Tensor]]:
        """Tensors that are arguments: a loss keeps its weights as buffers."""
        names = {argument.name for argument in known.arguments}
        for name, value in state.buffers.items():
            tensor = self.plain.tensor(value) if name in names else None
            if tensor is not None:
                yield name, tensor

    def _types(self, state: State) -> set[str]:
        """Element types of the parameters of a module and of its parts."""
        tensors = [self.plain.tensor(value) for value in state.parameters.values()]
        return {tensor.dtype for tensor in tensors if tensor is not None and tensor.dtype in _TYPES}

    def _stack(self, alias: str, state: State) -> int:
        """A stack of transformer layers; the layers that differ are put in one by one."""
        layers = state.children.get("layers", -1)
        held = self.state(layers).children if layers >= 0 else {}
        if not held:
            return -1
        made = [self._made[child] for child in held.values()]
        parts = [Part(f"{_STACKS[alias]}=", "layer", made[0])]
        parts.append(Part("num_layers=", "num_layers", self.terms.leaf(str(len(made)))))
        norm = state.children.get("norm", -1)
        if norm >= 0:
            parts.append(Part("norm=", "norm", self._made[norm]))
        if alias == "nn.TransformerEncoder":
            nested = self.plain.plain(state.attributes.get("use_nested_tensor", -1))
            if nested is False:
                parts.append(Part("enable_nested_tensor=", "enable_nested_tensor", self.terms.leaf("False")))
        call = self.call(f"{alias}(", parts)
        return call if len(set(made)) == 1 else self._held(call, state, "_modules")

    def fits_shapes(self, state: State, expected: Shapes, own: Collection[str] | None = None) -> bool:
        """True when a constructor makes what the object holds; the counter of batches is younger than some files.

        `own`: the submodules that it makes, None for all.
        """
        actual = self._registered(state, state.children if own is None else own)
        if COUNTER in expected and COUNTER not in actual:
            actual[COUNTER] = ()
        return actual == expected

    def _registered(self, state: State, own: Collection[str]) -> Shapes:
        """Shapes by name of what an object and its own parts hold in a state_dict."""
        found: Shapes = {}
        waiting: list[tuple[str, State, Collection[str], int]] = [("", state, own, 0)]
        while waiting:
            prefix, held, children, depth = waiting.pop()
            saved = {name: one for name, one in held.buffers.items() if name not in held.left_out}
            for name, one in (*held.parameters.items(), *saved.items()):
                tensor = self.plain.tensor(one)
                if tensor is not None:
                    found[prefix + name] = tensor.shape
            for name in children if depth < _DEEPEST_PART else ():
                inner = self.state(held.children[name])
                waiting.append((f"{prefix}{name}.", inner, inner.children, depth + 1))
        return found

    # -- what a constructor does not make ---------------------------------------------------------

    def _held(self, call: int, state: State, *kinds: str, makes: Collection[str] = ()) -> int:
        """A module in which what the object holds takes the place of what its constructor makes.

        `makes`: the kinds that the constructor fills, which are said also where the object has none.
        """
        parts = [Part("", "", call)]
        for kind in kinds:
            entries = self._entries(state, kind)
            if entries or kind in makes:
                parts.append(Part(f"{kind}=", kind.strip("_"), self._dict(entries)))
        if state.left_out and "_buffers" in kinds:
            names = self.terms.call(
                "{", [Part("", "", self.terms.leaf(quoted(one))) for one in sorted(state.left_out)], "}"
            )
            parts.append(Part("_non_persistent_buffers_set=", "unsaved", names))
        return self.terms.call(f"{HELPER}(", parts, is_open=True) if len(parts) > 1 else call

    def _entries(self, state: State, kind: str) -> dict[str, int]:
        if kind == "_parameters":
            return {name: self.plain.parameter(one) for name, one in state.parameters.items()}
        if kind == "_buffers":
            return {name: self.plain.make(one, self._made) for name, one in state.buffers.items()}
        return {name: self._made[one] for name, one in state.children.items()}

    def _dict(self, entries: Mapping[str, int]) -> int:
        if not entries:
            return self.terms.leaf("{}")
        parts = [Part(f"{quoted(name)}: ", name, one) for name, one in entries.items()]
        return self.terms.call("{", parts, "}", is_open=True)

    def _with_extra(self, call: int, known: TorchClass, state: State) -> int:
        """The module with plain attributes that its class does not have: models number their layers so."""
        extra: dict[str, int] = {}
        for name, one in state.attributes.items():
            is_known = name in known.attributes or name in _FORMER or name.startswith("_")
            if is_known or self.plain.tensor(one) is not None or name in MODULE_NAMES:
                continue
            term = self._made[one]
            held = self.terms[term]
            if held.size <= _MOST_EXTRA and not held.notes and not held.has_instance and len(extra) < _MOST_EXTRA:
                extra[name] = term
        if not extra:
            return call
        held = self.terms[call]
        parts = list(held.parts) if held.head == f"{HELPER}(" else [Part("", "", call)]
        parts.insert(1, Part("attributes=", "attributes", self._dict(extra)))
        return self.terms.call(f"{HELPER}(", parts, is_open=True)


_TYPES: Final = frozenset({"float64", "float32", "float16", "bfloat16", "complex64", "complex128"})


def written(plain: object) -> str:
    """An atom or a tuple of atoms that was worked out."""
    if isinstance(plain, tuple):
        return "(" + ", ".join(written(one) for one in plain) + ("," if len(plain) == 1 else "") + ")"
    if isinstance(plain, str):
        return quoted(plain)
    return (
        number(plain)
        if isinstance(plain, (int, float))
        else "None"
        if plain is None or plain is MISSING
        else repr(plain)
    )
