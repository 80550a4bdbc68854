"""Imports classes of folders, each in a process that has nothing else of the project, and tells what that took.

`python -I source_child.py < REQUESTS`, a JSON list of {"folder", "classes": [[module, qualname]], "given": [name]}.
Names in `given` stand for what serves as a base, a function or a decorator wherever nothing else gives them. The
answers are a JSON list of {"failures": {module: [type, name, text]}, "globals": {module: [name]}}, the latter being
the global names that functions of the classes load and nothing gives. torch is imported once; each request has a copy
of that process.
"""

import builtins
import dis
import importlib
import json
import os
import sys
import types

import torch

KNOWN = {*dir(builtins), "__class__"}


class Stand(torch.nn.Module):
    """A base, a function of anything, a decorator with and without arguments."""

    def __new__(cls, *given, **named):
        return given[0] if len(given) == 1 and isinstance(given[0], type) else super().__new__(cls)

    def __init__(self, *given, **named):
        super().__init__()

    def forward(self, *given):
        return given[0]


def functions(cls, seen):
    """The code of all functions that a class or a class within it defines."""
    if cls in seen:
        return
    seen.add(cls)
    for value in vars(cls).values():
        value = getattr(value, "__func__", getattr(value, "fget", value))
        value = getattr(value, "__wrapped__", value)
        if isinstance(value, types.FunctionType) and value.__module__ == cls.__module__:
            yield from codes(value.__code__)
        elif isinstance(value, type) and value.__module__ == cls.__module__:
            yield from functions(value, seen)


def codes(code):
    """A code object and those within it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from codes(constant)


def unknown(module, cls):
    """The global names that the functions of a class load and that neither its module nor Python has."""
    for code in functions(cls, set()):
        for instruction in dis.get_instructions(code):
            if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
                name = instruction.argval
                if name not in vars(module) and name not in KNOWN:
                    yield name


def answer(request):
    """What importing the classes of one folder took."""
    sys.path.insert(0, request["folder"])
    sys.dont_write_bytecode = True
    for name in request["given"]:
        setattr(builtins, name, type(name, (Stand,), {}))
    failures, lacking = {}, {}
    for module_name, qualname in request["classes"]:
        try:
            module = importlib.import_module(module_name)
        except Exception as failure:  # noqa: BLE001  all of them are what is asked for
            failures[module_name] = [type(failure).__name__, str(getattr(failure, "name", "")), str(failure)]
            continue
        found = module
        for part in qualname.split("."):
            found = getattr(found, part)
        assert found.__qualname__ == qualname, found
        lacking.setdefault(module_name, set()).update(unknown(module, found))
    return {"failures": failures, "globals": {name: sorted(names) for name, names in lacking.items()}}


def in_a_copy(request):
    """The answer of a copy of this process."""
    reading, writing = os.pipe()
    if os.fork() == 0:
        os.write(writing, json.dumps(answer(request)).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        found = pipe.read()
    _, status = os.wait()
    assert status == 0
    return json.loads(found)


if __name__ == "__main__":
    json.dump([in_a_copy(request) for request in json.load(sys.stdin)], sys.stdout)
