"""Gives back the model of this folder as a torch.nn.Module.

    from load import load_model
    model = load_model()                on the CPU, in eval mode

or `python load.py`, which prints it. Needs numpy and torch 1.13 or later, nothing else.

How it works: model.json lists the objects that the model is made of. weights.pt and extra_tensors.npz hold their
tensors, source/ holds the texts of their classes. Each object is made empty and then given the attributes that it
was saved with; no __init__ of a class in source/ is called. torch's own modules also get what the torch installed
here sets in new ones and older ones did not have: see load_model.filled. What went wrong is in load_model.notes.

This imports the files in source/, which came out of a checkpoint: read them before you run it.
"""

import argparse
import base64
import builtins
import collections
import contextlib
import enum
import functools
import importlib
import importlib.machinery
import inspect
import json
import math
import operator
import pathlib
import sys
import types
import warnings
import weakref

import numpy as np
import torch
from torch import nn

FOLDER = pathlib.Path(__file__).resolve().parent
SOURCE = FOLDER / "source"
# Functions that an attribute may be, by where they are looked up. Nothing else is.
FUNCTIONS = {
    "math": math,
    "numpy": np,
    "operator": operator,
    "torch": torch,
    "torch.Tensor": torch.Tensor,
    "torch.functional": torch.functional,
    "torch.nn.functional": nn.functional,
    "torch.nn.init": nn.init,
    "torch._C._nn": torch._C._nn,
}
FUNCTION_TYPES = (types.BuiltinFunctionType, types.MethodDescriptorType, np.ufunc)
LARGE = 1_000_000  # elements
LONGEST = 300  # characters of what torch says of a failure
QUANTISED = ("torch.qint8", "torch.quint8", "torch.qint32", "torch.quint4x2", "torch.quint2x4")
NOT_HELD = "the checkpoint does not hold its code"
NO_HOOK = "is not in the checkpoint, so what is computed may differ"
# What Python 2 had under these names.
OF_PYTHON_2 = {
    "basestring": str,
    "long": int,
    "reduce": functools.reduce,
    "unichr": chr,
    "unicode": str,
    "xrange": range,
}
# Classes of torch that have another name today.
RENAMED = {"torch.nn.modules.linear._LinearWithBias": "torch.nn.modules.linear.NonDynamicallyQuantizableLinear"}


def load_model():
    """The model, rebuilt. `load_model.filled`: attributes that torch's defaults were taken for."""
    kit = Kit(json.loads((FOLDER / "model.json").read_text(encoding="utf-8")))
    with torch.random.fork_rng(devices=[]), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = kit.build()
    load_model.filled, load_model.notes = kit.filled, kit.notes
    for note in kit.notes:
        warnings.warn(note, stacklevel=2)
    return model


class Missing:
    """Stands for something that the checkpoint only names. Using it fails with a sentence."""

    def __init__(self, name, reason):
        self.__dict__["sentence"] = f"{name} cannot be used: {reason}"

    def __call__(self, *args, **kwargs):
        raise NotImplementedError(self.sentence)

    def __getattr__(self, name):
        raise AttributeError(name if name.startswith("__") else self.sentence)

    def __repr__(self):
        return f"<missing: {self.sentence}>"


MET = []  # where a name that nothing gives was needed, in order


class Lost(Missing):
    """Stands for a name that a text in source/ uses and that nothing gives: a base class, a decorator, a constant.

    While a text is imported, it lets itself be used, so that the classes in it can be had: as a base it is an empty
    class, as a decorator it does nothing. Later, using it fails with a sentence.
    """

    importing = 0

    def __init__(self, name, where, base):
        super().__init__(name, NOT_HELD)
        vars(self).update(name=name, where=where, base=base)

    def meet(self):
        if not Lost.importing:
            raise NotImplementedError(self.sentence)
        MET.append(f"{self.where} needs {self.name} to be imported, and the checkpoint does not hold it.")
        return self

    def __mro_entries__(self, bases):
        others = [one for one in bases if isinstance(one, type)]
        return (stand_in(self.meet().name, NOT_HELD, object if others else self.base),)

    def __call__(self, *args, **kwargs):
        self.meet()
        if len(args) == 3 and isinstance(args[1], tuple) and isinstance(args[2], dict):
            return types.new_class(args[0], args[1], {}, lambda held: held.update(args[2]))  # it was a metaclass
        decorated = args[0] if len(args) == 1 and not kwargs else None
        return decorated if isinstance(decorated, (type, types.FunctionType)) else self

    def __getattr__(self, name):
        if name.startswith("__") or not Lost.importing:
            return super().__getattr__(name)
        return Lost(f"{self.meet().name}.{name}", self.where, self.base)

    def __iter__(self):
        self.meet()
        return iter(())

    def same(self, *others):
        return self.meet()


for operation in (
    *("add", "and", "floordiv", "mod", "mul", "or", "pow", "sub", "truediv"),
    *("radd", "rand", "rfloordiv", "rmod", "rmul", "ror", "rpow", "rsub", "rtruediv"),
    *("abs", "enter", "exit", "ge", "getitem", "gt", "invert", "le", "lt", "neg", "pos"),
):
    setattr(Lost, f"__{operation}__", Lost.same)


class Finder:
    """Finds the files in source/ that use names which nothing gives. `lost`: those names, by module."""

    def __init__(self, lost, bases):
        self.lost, self.bases = lost, bases

    def find_spec(self, name, path=None, target=None):
        spec = importlib.machinery.PathFinder.find_spec(name, path or [str(SOURCE)]) if name in self.lost else None
        if spec is not None:
            base = self.bases.get(name, object)
            given = {each: OF_PYTHON_2.get(each) or Lost(each, name, base) for each in self.lost[name]}
            spec.loader = Loader(name, spec.origin, given)
        return spec


class Loader(importlib.machinery.SourceFileLoader):
    """Gives a module some names before its text is run, which may replace them."""

    def __init__(self, name, path, given):
        super().__init__(name, path)
        self.given = given

    def exec_module(self, module):
        vars(module).update(self.given)
        super().exec_module(module)


def stand_in(name, reason, base=nn.Module):
    """A class in place of one that cannot be had: it keeps what it is given and computes nothing."""

    def forward(self, *args, **kwargs):
        raise NotImplementedError(f"{name} cannot compute: {reason}")

    def lacking(self, attribute):
        try:
            return nn.Module.__getattr__(self, attribute)
        except AttributeError as failure:
            raise AttributeError(f"{failure}. {name} may have had it: {reason}") from None

    held = {"forward": forward, "__getattr__": lacking} if base is nn.Module else {}
    return type(name.rpartition(".")[2], (base,), held)


class Kit:
    """The objects of model.json, made one by one. `made`: by their id."""

    def __init__(self, facts):
        self.root = facts["root"]
        self.records = facts["objects"]
        self.places = facts["classes"]
        self.classes = {}
        self.made = {}
        self.filled = []
        self.notes = []
        self.weights = torch.load(FOLDER / "weights.pt", map_location="cpu", weights_only=True)
        extra = FOLDER / "extra_tensors.npz"
        self.extra = np.load(extra, allow_pickle=False) if extra.exists() else {}
        if str(SOURCE) not in sys.path:
            sys.path.insert(0, str(SOURCE))
            sys.meta_path.insert(0, Finder(facts.get("lost", {}), self.bases()))

    def build(self):
        """Make all objects, then fill them: what is inside others first."""
        for record in self.records:
            self.made[record["id"]] = self.make(record)
        for phase in (FILL_FIRST, FILL_OBJECTS, FILL_LAST):
            for record in reversed(self.records):
                fill, made = phase.get(record["type"]), self.made[record["id"]]
                is_due = phase is FILL_OBJECTS or has_objects_as_keys(record) == (phase is FILL_LAST)
                if fill is not None and is_due and not isinstance(made, Missing):
                    fill(self, record, made)
        model = self.made[self.root]
        names = {id(module): name for name, module in every_module(model)}
        places = {key: place for place, key in enumerate(names)}
        self.filled.sort(key=lambda one: places.get(id(one[0]), len(places)))
        self.filled = [f"{names.get(id(module)) or 'the model'}: {text}" for module, text in self.filled]
        try:
            model.eval()
        except Exception as failure:
            self.note(f"eval() of the model failed ({told(failure)}), so every module was only marked as not training.")
            for _, module in every_module(model):
                module.training = False
        return model

    def make(self, record):
        """The object of a record, without what it holds; a placeholder where it cannot be made."""
        try:
            return MAKE[record["type"]](self, record)
        except Exception as failure:
            self.note(f"A {record['type']} could not be made: {told(failure)}")
            return Missing(f"a {record['type']}", told(failure))

    def bases(self):
        """What a class without its base is at least, by module of source/: an nn.Module where one of its classes is."""
        modules = {record["class"] for record in self.records if record["type"] == "module"}
        return {place["module"]: nn.Module for name, place in self.places.items() if name in modules}

    def note(self, text):
        if text not in self.notes:
            self.notes.append(text)

    def value(self, item):
        """A value of model.json: as it stands, or the object of an id."""
        if not isinstance(item, dict):
            return item
        return self.made[item["id"]] if "id" in item else float(item["float"])

    def all_of(self, items):
        return [self.value(item) for item in items]

    def named(self, items):
        return {name: self.value(item) for name, item in items.items()}

    def pairs(self, record):
        return [(self.value(key), self.value(item)) for key, item in record["entries"]]

    def class_of(self, name, base):
        """A class by its full name: from source/ where it stands there, else torch's; else a stand-in."""
        if name not in self.classes:
            place = self.places.get(name)
            try:
                found = torch_class(name) if place is None else own_class(place)
                if base is nn.Module and not issubclass(found, nn.Module):
                    raise TypeError("it is no subclass of torch.nn.Module")
            except Exception as failure:
                reason = told(failure)
                self.note(f"{name} is replaced by a class that computes nothing: {reason}")
                found = stand_in(name, reason, base)
            while MET:
                self.note(MET.pop(0))
            self.classes[name] = found
        return self.classes[name]


def every_module(model):
    """What named_modules gives, without recursion: models may be thousands of modules deep."""
    waiting, seen = [("", model)], set()
    while waiting:
        name, module = waiting.pop()
        if id(module) in seen or not isinstance(module, nn.Module):
            continue
        seen.add(id(module))
        yield name, module
        inner = [(f"{name}.{key}" if name else key, child) for key, child in vars(module)["_modules"].items()]
        waiting += reversed(inner)


def told(failure):
    text = " ".join(str(failure).split())
    return f"{type(failure).__name__}: {text[:LONGEST]}{'...' if len(text) > LONGEST else ''}"


def own_class(place):
    """A class of the files in source/, and of nothing else that has the same name."""
    Lost.importing += 1
    try:
        module = importlib.import_module(place["module"])
    finally:
        Lost.importing -= 1
    if SOURCE not in pathlib.Path(getattr(module, "__file__", None) or "/").resolve().parents:
        raise ImportError(f"the name {place['module']} is taken by another module; start a new Python")
    return functools.reduce(getattr, place["name"].split("."), module)


def torch_class(name):
    """A module class of torch. Only modules of torch that are loaded already are looked at."""
    module, _, last = RENAMED.get(name, name).rpartition(".")
    found = getattr(sys.modules.get(module), last, None) if module.partition(".")[0] == "torch" else None
    if not (isinstance(found, type) and issubclass(found, nn.Module)):
        raise ImportError(f"torch {torch.__version__} has no module class {name}")
    return found


# -- making ------------------------------------------------------------------------------------------


def make_function(kit, record):
    owner, _, last = record["name"].rpartition(".")
    found = getattr(FUNCTIONS.get(owner), last, None) if not last.startswith("_") else None
    is_python = isinstance(found, types.FunctionType) and owner.startswith(("torch.nn.", "torch.functional"))
    if last == "from_file" or not (is_python or isinstance(found, FUNCTION_TYPES)):
        return Missing(record["name"], "torch and Python have no such function here")
    return found


def make_method(kit, record):
    """A method of an object, by its class: the object has no attributes yet."""
    owner, name = kit.value(record["object"]), record["name"]
    found = inspect.getattr_static(type(owner), name, None)
    if isinstance(owner, Missing) or not isinstance(found, (types.FunctionType, classmethod, staticmethod)):
        kit.note(f"{name} of a {type(owner).__name__} cannot be had: its class has no such method.")
        return Missing(name, "its class has no such method")
    return found.__get__(owner, type(owner))


def make_class(kit, record):
    return kit.class_of(record["class"], nn.Module if record["class"] not in kit.places else object)


def make_numpy_class(kit, record):
    found = getattr(np, record["name"], None)
    is_known = isinstance(found, type) and issubclass(found, np.generic)
    return found if is_known else Missing(f"numpy.{record['name']}", "this numpy does not have it")


def make_constant(kit, record):
    found = getattr(torch, record["name"], None)
    known = isinstance(found, (torch.dtype, torch.layout, torch.memory_format))
    return found if known else Missing(f"torch.{record['name']}", "this torch does not have it")


def make_tensor(kit, record):
    if "weights" in record:
        tensor = kit.weights[record["weights"]]
    elif "extra" in record:
        dtype = getattr(torch, record["dtype"])
        tensor = torch.from_numpy(kit.extra[record["extra"]])
        tensor = tensor if tensor.dtype == dtype else tensor.view(dtype)
        if "stride" in record:
            tensor = torch.empty_strided(record["shape"], record["stride"], dtype=dtype).copy_(tensor)
    else:
        tensor = lost_tensor(kit, record)
    if is_lazy(tensor):
        return tensor
    if record["parameter"]:
        return nn.Parameter(tensor, requires_grad=record["requires_grad"])
    return tensor.requires_grad_() if record["requires_grad"] else tensor


def lost_tensor(kit, record):
    """Without elements: nan, so that it shows in whatever is computed from it."""
    if record["missing"] in ("UninitializedParameter", "UninitializedBuffer"):
        return getattr(nn.parameter, record["missing"])()  # a lazy module that never met an input
    dtype = getattr(torch, record["dtype"], None)
    if not isinstance(dtype, torch.dtype) or str(dtype) in QUANTISED:
        dtype = torch.float32
    kit.note(f"A tensor of shape {record['shape']} is not in the checkpoint ({record['missing']}).")
    filling = math.nan if dtype.is_floating_point else 0
    return torch.full((), filling, dtype=dtype).expand(record["shape"])


def is_lazy(tensor):
    return isinstance(tensor, nn.parameter.UninitializedTensorMixin)


def make_scalar(kit, record):
    return np.frombuffer(base64.b64decode(record["base64"]), dtype=record["dtype"])[0]


def make_module(kit, record):
    kind = kit.class_of(record["class"], nn.Module)
    try:
        module = kind.__new__(kind)
    except TypeError:
        module = object.__new__(kind)
    nn.Module.__init__(module)
    return module


def make_object(kit, record):
    kind = kit.class_of(record["class"], object)
    arguments = kit.all_of(record["arguments"])
    if arguments and issubclass(kind, enum.Enum):
        return kind(arguments[0])
    try:
        made = kind.__new__(kind, *arguments)
    except TypeError:
        made = kind.__new__(kind)
        made.__dict__["pickled_arguments"] = arguments
    if isinstance(made, nn.Module):
        nn.Module.__init__(made)
    return made


def make_hook(kit, record):
    """weight_norm and spectral_norm of the old kind, which are hooks."""
    module, _, last = record["class"].rpartition(".")
    kind = getattr(sys.modules.get(module), last, None) if record["class"] in HOOKS else None
    if kind is None:
        return None
    hook = kind.__new__(kind)
    vars(hook).update(kit.named(record["attributes"]))
    return hook


HOOKS = ("torch.nn.utils.weight_norm.WeightNorm", "torch.nn.utils.spectral_norm.SpectralNorm")
MAKE = {
    "text": lambda kit, record: record["text"],
    "int": lambda kit, record: int(record["hex"], 16),
    "bytes": lambda kit, record: base64.b64decode(record["base64"]),
    "bytearray": lambda kit, record: bytearray(base64.b64decode(record["base64"])),
    "complex": lambda kit, record: complex(*kit.all_of(record["items"])),
    "tuple": lambda kit, record: tuple(kit.all_of(record["items"])),
    "frozenset": lambda kit, record: frozenset(kit.all_of(record["items"])),
    "Size": lambda kit, record: torch.Size(kit.all_of(record["items"])),
    "slice": lambda kit, record: slice(*kit.all_of(record["items"])),
    "range": lambda kit, record: range(*kit.all_of(record["items"])),
    "path": lambda kit, record: pathlib.Path(*kit.all_of(record["items"])),
    "list": lambda kit, record: [],
    "set": lambda kit, record: set(),
    "deque": lambda kit, record: collections.deque(maxlen=record["maxlen"]),
    "dict": lambda kit, record: {},
    "OrderedDict": lambda kit, record: collections.OrderedDict(),
    "Counter": lambda kit, record: collections.Counter(),
    "defaultdict": lambda kit, record: collections.defaultdict(kit.value(record["factory"])),
    "Namespace": lambda kit, record: argparse.Namespace(),
    "SimpleNamespace": lambda kit, record: types.SimpleNamespace(),
    "partial": lambda kit, record: functools.partial(kit.value(record["function"])),
    "builtin": lambda kit, record: getattr(builtins, record["name"]),
    "function": make_function,
    "class": make_class,
    "method": make_method,
    "constant": make_constant,
    "device": lambda kit, record: torch.device(record["name"]),
    "numpy class": make_numpy_class,
    "numpy dtype": lambda kit, record: np.dtype(record["name"]),
    "array": lambda kit, record: kit.extra[record["extra"]],
    "scalar": make_scalar,
    "tensor": make_tensor,
    "hook": make_hook,
    "module": make_module,
    "object": make_object,
    "missing": lambda kit, record: Missing(record["name"], record["reason"]),
}


# -- filling -----------------------------------------------------------------------------------------


def fill_mapping(kit, record, mapping):
    for key, item in kit.pairs(record):
        mapping[key] = item
    if "attributes" in record:
        vars(mapping).update(kit.named(record["attributes"]))


def fill_partial(kit, record, partial):
    partial.__setstate__((partial.func, tuple(kit.all_of(record["items"])), kit.named(record["keywords"]), {}))


def fill_object(kit, record, made):
    if isinstance(made, list):
        list.extend(made, kit.all_of(record["items"]))
    if isinstance(made, dict):
        dict.update(made, kit.pairs(record))
    state = kit.named(record["attributes"]) if record["state"] is None else kit.value(record["state"])
    try:
        # asked of the class: a __getattr__ of its own need not be ready yet
        if hasattr(type(made), "__setstate__") and (state or not isinstance(state, dict)):
            made.__setstate__(state)
        elif isinstance(state, dict):
            set_attributes(made, state)
    except Exception as failure:
        kit.note(f"An object of {record['class']} could not take its state ({told(failure)}).")
        with contextlib.suppress(AttributeError, TypeError, ValueError):
            vars(made).update(state)


def set_attributes(made, state):
    if hasattr(made, "__dict__"):
        vars(made).update(state)
        return
    for name, item in state.items():
        object.__setattr__(made, name, item)


def fill_module(kit, record, module):
    state = kit.named(record["attributes"])
    mapping = type(module._modules)
    state["_parameters"], state["_buffers"], state["_modules"] = mapping(), mapping(), mapping()
    for role, kind in (("_parameters", torch.Tensor), ("_buffers", torch.Tensor), ("_modules", nn.Module)):
        for name, item in kit.named(record[role]).items():
            if item is not None and not isinstance(item, kind):
                kit.note(f"{name} of a {record['class']} is {item!r}.")
                item = stand_in(name, "it is no module", nn.Module)() if kind is nn.Module else None
            state[role][name] = item
    state["_non_persistent_buffers_set"] = set(record["non_persistent"])
    try:
        if isinstance(module, nn.RNNBase):
            flatten(state)
        module.__setstate__(dict(state))
    except Exception as failure:
        kit.note(f"A {record['class']} took its attributes without its __setstate__ ({told(failure)}).")
        nn.Module.__setstate__(module, state)
    for name in record.get("lost_hooks", ()):
        kit.note(f"{name or 'A function'}, a hook of a {record['class']}, {NO_HOOK}.")
    for key, hook in record["hooks"]:
        if kit.value(hook) is not None:
            module._forward_pre_hooks[key] = kit.value(hook)
    complete(kit, module, {*state, *vars(nn.Module())})


def flatten(state):
    """The list of its weights that an RNN keeps since torch 1.4, from their names that it has always kept."""
    names = [name for layer in state.get("_all_weights", ()) for name in layer]
    if all(isinstance(name, str) for name in names):
        held = {**state, **state["_parameters"]}
        state["_flat_weights_names"], state["_flat_weights"] = names, [held.get(name) for name in names]


def complete(kit, module, given):
    """Give a module of torch, or of a class derived from one, what a new one has and this one lacks.

    `given`: what it was saved with; what it has beside that now, its class has already filled.
    """
    base = next(kind for kind in type(module).__mro__ if kind.__module__.partition(".")[0] == "torch")
    if base is nn.Module:
        return
    held = vars(module)
    if issubclass(base, nn.RNN):
        held.setdefault("nonlinearity", "relu" if held.get("mode") == "RNN_RELU" else "tanh")
    if issubclass(base, nn.ParameterList):
        held.setdefault("_size", len(module._parameters))
    if issubclass(base, nn.ParameterDict):
        held.setdefault("_keys", dict.fromkeys(module._parameters))
    if issubclass(base, nn.DataParallel):
        held["device_ids"] = []  # so that it calls its module on the CPU
    new = new_one(base, module)
    registered = {*held["_parameters"], *held["_buffers"], *held["_modules"]}
    for name, default in vars(new).items():
        if name not in held and name not in registered and is_plain(default):
            held[name] = default
    filled = {name: value for name, value in held.items() if name not in given and is_plain(value)}
    for role in ("_parameters", "_buffers"):
        for name, default in vars(new).get(role, {}).items():
            # others would be names that the weights lack
            is_extra = default is None or name in new._non_persistent_buffers_set or name == "num_batches_tracked"
            if name not in held[role] and name not in held and is_extra:
                held[role][name] = filled[name] = default
    kit.filled += [(module, f"{name} = {value!r}") for name, value in filled.items()]


def new_one(base, module):
    """A new module of a class of torch, from the facts that the saved one has; an empty one where they do not suffice.

    Only what the saved one lacks is taken from it, so large weights are not made where torch can leave them out.
    """
    names, parameters = constructor(base)
    held, arguments = vars(module), {}
    for parameter in parameters:
        if parameter.name in held:
            arguments[parameter.name] = held[parameter.name]
        elif isinstance(parameter.default, bool) and parameter.name in module._parameters:
            arguments[parameter.name] = module._parameters[parameter.name] is not None
        elif parameter.default is parameter.empty:
            arguments[parameter.name] = 1  # a size that the saved one does not tell
    sizes = [one.numel() for one in module._parameters.values() if one is not None and not is_lazy(one)]
    is_large = sum(sizes) > LARGE
    try:
        new = base(**arguments, **({"device": "meta"} if is_large and "device" in names else {}))
        lacking = [one for name, one in new._buffers.items() if one is not None and name not in module._buffers]
        return base(**arguments) if any(one.is_meta for one in lacking) else new
    except Exception:
        return nn.Module()


def constructor(base):
    """All names that the constructor of a class takes, and the parameters that tell its facts."""
    for kind in base.__mro__:
        if "__init__" in vars(kind):
            parameters = inspect.signature(kind.__init__).parameters
            left_out = {"self", "device", "dtype"} | (set() if kind is base else {"mode", "proj_size"})
            told_by_name = [
                one
                for one in parameters.values()
                if one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY) and one.name not in left_out
            ]
            takes_any = any(one.kind is one.VAR_KEYWORD for one in parameters.values())
            if told_by_name or not takes_any:
                return set(parameters), told_by_name
    return set(), []


def is_plain(value):
    """True for values that hold no tensor and no module."""
    if isinstance(value, (list, tuple, set, frozenset)):
        return all(is_plain(one) for one in value)
    if isinstance(value, dict):
        return all(is_plain(one) for one in value.values())
    return not isinstance(value, (torch.Tensor, nn.Module, weakref.ref))


def has_objects_as_keys(record):
    """True for a mapping or a set that can only be filled when the objects in it are: their hash may need that."""
    keys = [key for key, _ in record["entries"]] if "entries" in record else record.get("items", ())
    return record["type"] in KEYED and any(isinstance(key, dict) and "id" in key for key in keys)


KEYED = ("set", "dict", "OrderedDict", "Counter", "defaultdict")
FILL_FIRST = {
    "list": lambda kit, record, made: made.extend(kit.all_of(record["items"])),
    "set": lambda kit, record, made: made.update(kit.all_of(record["items"])),
    "deque": lambda kit, record, made: made.extend(kit.all_of(record["items"])),
    **dict.fromkeys(KEYED[1:], fill_mapping),
}
FILL_LAST = {name: fill for name, fill in FILL_FIRST.items() if name in KEYED}
FILL_OBJECTS = {
    "Namespace": lambda kit, record, made: vars(made).update(kit.named(record["attributes"])),
    "SimpleNamespace": lambda kit, record, made: vars(made).update(kit.named(record["attributes"])),
    "partial": fill_partial,
    "module": fill_module,
    "object": fill_object,
}


if __name__ == "__main__":
    try:
        print(load_model())
    except RecursionError:
        print("The model is too deep for Python to print or to run it. Its weights are in weights.pt.")
    for text in load_model.filled:
        print("Filled by torch's default:", text)
