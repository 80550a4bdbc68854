"""The graph of a torch.export program, out of its JSON: inputs, outputs, operators and nodes, in lines like code.

Nothing of it is run, and no expression is evaluated: sizes that only a formula tells are shown by its name.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from viewer.core.objects.outline import MOST_ROWS, Outline, fact, listing
from viewer.core.tensors.bounded_json import entries, fields, whole

MOST_ARGUMENTS: Final = 64
MOST_AXES: Final = 64
MOST_TRACE: Final = 40
LONGEST: Final = 120
DEEPEST: Final = 4
# torch.export numbers the element types in its own way: torch's number and one.
TYPES: Final = {
    1: "uint8",
    2: "int8",
    3: "int16",
    4: "int32",
    5: "int64",
    6: "float16",
    7: "float32",
    8: "float64",
    9: "complex32",
    10: "complex64",
    11: "complex128",
    12: "bool",
    13: "bfloat16",
    28: "uint16",
    29: "float8_e4m3fn",
    30: "float8_e5m2",
    31: "float8_e4m3fnuz",
    32: "float8_e5m2fnuz",
    33: "float8_e8m0fnu",
    34: "uint32",
    35: "uint64",
}
# What an input is, by the field of its entry; the others are the program's own names.
KINDS: Final = {
    "user_input": "inputs",
    "parameter": "parameters",
    "buffer": "buffers",
    "tensor_constant": "constants",
    "custom_obj": "custom-objects",
    "constant_input": "constant-inputs",
    "token": "tokens",
}
NUMBERED: Final = {
    "as_layout": {
        1: "torch.sparse_coo",
        2: "torch.sparse_csr",
        3: "torch.sparse_csc",
        4: "torch.sparse_bsr",
        5: "torch.sparse_bsc",
        6: "torch._mkldnn",
        7: "torch.strided",
    },
    "as_memory_format": {
        1: "torch.contiguous_format",
        2: "torch.channels_last",
        3: "torch.channels_last_3d",
        4: "torch.preserve_format",
    },
}
_SYMBOL: Final = re.compile(r"Symbol\('([^']{1,60})'[^)]*\)")


def graph_outline(content: object) -> Outline:
    """All that is told of a program. What is not there, or of another form, is left out."""
    program = fields(content)
    module = fields(program.get("graph_module"))
    graph, signature = fields(module.get("graph")), fields(module.get("signature"))
    tensors = fields(graph.get("tensor_values"))
    nodes = entries(graph.get("nodes"))
    operators = Counter(_target(fields(node)) for node in nodes)
    rows = [
        *_facts(program),
        *_inputs(entries(signature.get("input_specs")), tensors),
        *_outputs(entries(signature.get("output_specs")), tensors),
        listing("operators", [Outline(name, count=number) for name, number in operators.most_common()]),
        listing("nodes", [_node(fields(node)) for node in nodes[:MOST_ROWS]], len(nodes)),
    ]
    return Outline("graph", rows=tuple(rows), own=True)


def _facts(program: dict[str, object]) -> Iterator[Outline]:
    version = program.get("torch_version")
    if isinstance(version, str):
        yield fact("torch-version", version[:LONGEST])
    schema = program.get("schema_version")
    parts = [whole(fields(schema).get(name)) for name in ("major", "minor")]
    text = ".".join(str(part) for part in parts if part is not None) or str(whole(schema) or "")
    if text:
        yield fact("schema-version", text)
    opset = [f"{name} {number}" for name, number in fields(program.get("opset_version")).items()]
    if opset:
        yield fact("opset", ", ".join(opset[:MOST_ARGUMENTS])[:LONGEST])
    ranges = fields(program.get("range_constraints"))
    if ranges:
        yield listing("ranges", [Outline(name, _range(fields(one))) for name, one in ranges.items()])


def _range(limits: dict[str, object]) -> str:
    low, high = whole(limits.get("min_val")), whole(limits.get("max_val"))
    return f"{'' if low is None else low} … {'' if high is None else high}".strip()


def _inputs(specs: list[object], tensors: dict[str, object]) -> Iterator[Outline]:
    """The inputs that a caller gives, then parameters, buffers and constants, each kind as a list."""
    found: dict[str, list[Outline]] = {}
    for spec in specs:
        for field, body in fields(spec).items():
            if body is not None:
                kind = KINDS.get(field, field)
                found.setdefault(kind, []).append(_input(field, fields(body), tensors))
    for kind in [*KINDS.values(), *found]:
        if kind in found:
            rows = found.pop(kind)
            yield listing(kind, rows) if kind in KINDS.values() else Outline(kind, count=len(rows), rows=tuple(rows))


def _input(field: str, body: dict[str, object], tensors: dict[str, object]) -> Outline:
    """`x  float32 [s0, 2]`; of a parameter its name in the state_dict."""
    arg = fields(body.get("arg"))
    inner = arg.get("name")
    name = inner if isinstance(inner, str) else argument(arg)
    if field == "constant_input":
        return Outline(str(body.get("name", ""))[:LONGEST], argument(body.get("value")))
    kept = body.get(f"{field}_name")
    meta = tensor_text(tensors.get(name))
    if not isinstance(kept, str) or kept == name:
        return Outline(name, meta)
    return Outline(kept[:LONGEST], f"{name}  {meta}".rstrip())


def _outputs(specs: list[object], tensors: dict[str, object]) -> Iterator[Outline]:
    rows: list[Outline] = []
    for spec in specs:
        for field, body in fields(spec).items():
            if body is None:
                continue
            arg = fields(fields(body).get("arg"))
            inner = arg.get("name")
            name = inner if isinstance(inner, str) else argument(arg)
            words = [tensor_text(tensors.get(name))]
            if field != "user_output":
                changed = next((text for key, text in fields(body).items() if key.endswith("_name")), "")
                words.append(f"{field} {changed}".strip())
            rows.append(Outline(name, "  ".join(word for word in words if word)))
    if rows:
        yield listing("outputs", rows)


def _node(node: dict[str, object]) -> Outline:
    """`y = aten.add.Tensor(x, 1)`, above the lines of Python that it was made from."""
    given = []
    for one in entries(node.get("inputs"))[:MOST_ARGUMENTS]:
        name = fields(one).get("name")
        text = argument(fields(one).get("arg"))
        given.append(f"{name}={text}" if whole(fields(one).get("kind")) == 2 else text)
    made = ", ".join(argument(one) for one in entries(node.get("outputs"))[:MOST_ARGUMENTS])
    call = f"{_target(node)}({', '.join(given)})"
    trace = fields(node.get("metadata")).get("stack_trace")
    lines = trace.splitlines()[:MOST_TRACE] if isinstance(trace, str) else []
    return Outline(made or _target(node), call[: 4 * LONGEST], rows=tuple(Outline(line.strip()) for line in lines))


def _target(node: dict[str, object]) -> str:
    target = node.get("target")
    return target.removeprefix("torch.ops.")[:LONGEST] if isinstance(target, str) else "?"


def argument(arg: object, depth: int = 0) -> str:
    """An argument as code would write it. Of the fields of a union the one that is set counts."""
    if not isinstance(arg, dict) or depth > DEEPEST:
        return _plain(arg, depth)
    name = arg.get("name")
    if isinstance(name, str) and not any(key.startswith("as_") for key in arg):
        return name[:LONGEST]
    for kind, value in arg.items():
        if value is None or not kind.startswith("as_"):
            continue
        if kind == "as_none":
            return "None"
        return _typed(kind, value, depth)
    return "None"


def _typed(kind: str, value: object, depth: int) -> str:
    if kind == "as_scalar_type":
        number = whole(value)
        return f"torch.{TYPES.get(-1 if number is None else number, number)}"
    if kind in NUMBERED:
        number = whole(value)
        return NUMBERED[kind].get(-1 if number is None else number, str(number))
    if kind == "as_device":
        index = whole(fields(value).get("index"))
        name = str(fields(value).get("type", ""))[:LONGEST]
        return name if index is None else f"{name}:{index}"
    if kind == "as_name" and isinstance(value, str):
        return value[:LONGEST]
    if kind == "as_expr":
        return expression(value)
    return _plain(value, depth)


def _plain(value: object, depth: int) -> str:
    if isinstance(value, list) and depth <= DEEPEST:
        shown = ", ".join(argument(one, depth + 1) for one in value[:MOST_ARGUMENTS])
        return f"[{shown}{', …' if len(value) > MOST_ARGUMENTS else ''}]"
    if isinstance(value, dict):
        return argument(value, depth + 1) if depth <= DEEPEST else "…"
    text = repr(value)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def tensor_text(meta: object) -> str:
    """`float32 [s0, 2]`; "" where nothing is told."""
    told = fields(meta)
    number = whole(told.get("dtype"))
    if number is None:
        return ""
    sizes = [_size(one) for one in entries(told.get("sizes"))[:MOST_AXES]]
    return f"{TYPES.get(number, number)} [{', '.join(sizes)}]"


def _size(value: object) -> str:
    number = whole(fields(value).get("as_int"))
    return str(number) if number is not None else expression(fields(value).get("as_expr"))


def expression(value: object) -> str:
    """A formula of sizes by its symbols: `s0 + 1`; never evaluated."""
    text = fields(value).get("expr_str")
    return _SYMBOL.sub(r"\1", text)[:LONGEST] if isinstance(text, str) else "?"
