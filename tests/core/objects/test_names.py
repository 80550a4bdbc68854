"""Names as CPython maps them: by the last PROTO that stands before the opcode, as if by 0 without one."""

from __future__ import annotations

import io
import pickle

import pytest
from typing_extensions import override

from viewer.core.objects.names import global_name, named
from viewer.core.pickles.disassembly import disassemble
from viewer.core.pickles.values import Values
from viewer.core.safety.report import import_report
from viewer.core.source import MemorySource

SET = b"c__builtin__\nset\n"
BY_STACK = b"\x8c\x0b__builtin__\x8c\x03set\x93"
STREAMS = [
    (SET + b".", ["builtins.set"]),
    (BY_STACK + b".", ["builtins.set"]),
    (b"\x80\x02" + SET + b".", ["builtins.set"]),
    (b"\x80\x03" + SET + b".", ["__builtin__.set"]),
    (b"\x80\x02" + SET + b"0\x80\x04" + SET + b".", ["builtins.set", "__builtin__.set"]),
    (b"\x80\x04" + SET + b"0\x80\x02" + SET + b".", ["__builtin__.set", "builtins.set"]),
    (BY_STACK + b"0\x80\x04" + BY_STACK + b"0\x80\x01ccopy_reg\n_reconstructor\n.", []),
]
STREAMS[-1][1].extend(["builtins.set", "__builtin__.set", "copyreg._reconstructor"])


class Recording(pickle._Unpickler):
    """Keeps what its find_class looks for; a module that is not there gives None."""

    found: list[str]

    @override
    def find_class(self, module: str, name: str) -> object:
        try:
            value = super().find_class(module, name)
        except ModuleNotFoundError as failure:
            self.found.append(f"{failure.name}.{name}")
            return None
        self.found.append(f"{value.__module__}.{value.__qualname__}")
        return value


@pytest.mark.parametrize(("data", "expected"), STREAMS)
def test_names_are_mapped_by_the_last_protocol_stated(data: bytes, expected: list[str]) -> None:
    unpickler = Recording(io.BytesIO(data))
    unpickler.found = []
    unpickler.load()
    assert unpickler.found == expected
    values = Values(disassemble(MemorySource(data)))
    ours = [global_name(values, value) for value in values.globals()]
    assert [name if "." in name else f"builtins.{name}" for name in ours] == expected


def test_what_is_no_global_has_no_name_though_its_name_was_asked_for() -> None:
    values = Values(disassemble(MemorySource(b"\x80\x02]c__builtin__\nset\n\x86.")))
    assert (global_name(values, 1), named(values, 1)) == ("<computed>", "")
    assert (named(values, 2), global_name(values, 2), named(values, 2)) == ("set", "set", "set")


def test_a_name_that_is_dangerous_only_as_it_is_mapped_is_rated_so() -> None:
    data = b"\x80\x02c__builtin__\neval\n0\x80\x04c__builtin__\neval\n."
    (found,) = import_report([Values(disassemble(MemorySource(data)))])
    assert (found.text, found.row.mapped, found.severity.value) == ("eval", "builtins.eval", "dangerous")
    (later,) = import_report([Values(disassemble(MemorySource(b"\x80\x02N0\x80\x04" + SET + b".")))])
    assert (later.text, later.row.mapped) == ("__builtin__.set", None)
