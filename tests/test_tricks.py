"""What ../shared/tricks/expected.json says in words of each file, fact by fact; the rest is in test_shared_files."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from tests.expected import expected
from tests.shared import ABSENT, SHARED
from tests.steps import lines_run
from viewer.core.document import Document
from viewer.core.opening import open_document
from viewer.core.pickles.values import Kind
from viewer.core.summary.rows.inspection import Wanted, facts
from viewer.core.summary.rows.opcodes import opcode_rows
from viewer.core.summary.rows.values import value_rows

Check = Callable[["Trick"], None]
# The stream holds all three operands of NEWOBJ_EX (class, (), {'a': 1}), and CPython loads it: there is no problem.
NOT_SO: Final = frozenset({"32_newobj_ex_kwargs.pkl"})


class Trick:
    """One file, and what is said of it."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.facts: dict[str, Any] = json.loads(json.dumps(facts(document, Wanted()), default=list))

    def imported(self, text: str) -> dict[str, Any]:
        return next(row for row in self.facts["imports"] if row["text"] == text)

    def kinds(self, text: str) -> list[tuple[str, bool | None]]:
        return [(use["kind"], use["dropped"]) for use in self.imported(text)["uses"]]

    def problem(self, code: str) -> dict[str, Any]:
        return next(row for row in self.facts["problems"] if row["code"] == code)

    def hows(self) -> list[str]:
        return [row["how"] for row in self.facts["documents"]]

    def values(self) -> list[tuple[list[Any], str, Any]]:
        rows = (row for part in self.document.walk() for row in value_rows(part, ""))
        return [(row["path"], row["type"], row["value"]) for row in rows]

    def opcodes(self, pickle: int = 0) -> list[tuple[int, str]]:
        return [(row["offset"], row["name"]) for row in opcode_rows(self.document.pickles[pickle].code)]


def names_come_from_the_memo(trick: Trick) -> None:
    values = trick.document.pickles[0].values
    (named,) = values.globals()
    written = values.slots(named, 1, 2)
    assert [values.code.name(row) for row in written] == ["BINGET", "BINGET"]
    assert [values.text(values.resolve(row)) for row in written] == ["os", "getcwd"]


def the_name_is_an_expression(trick: Trick) -> None:
    row = trick.imported("getattr(import_module(str('os')), str('getcwd'))")
    assert (row["module"], row["name"], row["severity"], row["reason"]) == (None, None, "dangerous", "computed-name")


def the_result_is_dropped(trick: Trick) -> None:
    assert trick.kinds("os.getcwd") == [("named", None), ("called", True)]


def the_bytes_are_a_child(trick: Trick) -> None:
    assert trick.hows() == ["", "bytes argument"]
    code = trick.document.children[0].pickles[0].code
    names = [(row["offset"], row["name"]) for row in opcode_rows(code)]
    assert names == [(19, "PROTO"), (21, "GLOBAL"), (32, "EMPTY_TUPLE"), (33, "REDUCE"), (34, "STOP")]
    assert trick.imported("os.getcwd")["offset"] == 21


def the_break_is_told(trick: Trick) -> None:
    assert trick.problem("pickle-unknown-opcode")["text"].startswith("Byte 0xFF at offset 0xF is no opcode.")
    assert trick.problem("pickle-unknown-opcode")["start"] == 15
    assert trick.kinds("os.getcwd") == [("named", None), ("called", False)]


def the_dotted_name_is_followed(trick: Trick) -> None:
    row = trick.imported("torch.serialization.os.getcwd")
    assert (row["severity"], row["reason"]) == ("dangerous", "dotted-reach")


def the_name_is_mapped(trick: Trick) -> None:
    assert trick.imported("os.getcwd")["mapped"] == "os.getcwd"


def the_class_is_changed_by_build(trick: Trick) -> None:
    row = trick.imported("collections.OrderedDict")
    assert (row["severity"], row["reason"], row["called_with"]) == ("dangerous", "changes-global", ["BUILD {'x': 1}"])


def the_class_is_changed_by_setitem(trick: Trick) -> None:
    row = trick.imported("collections.OrderedDict")
    assert (row["severity"], row["reason"]) == ("dangerous", "changes-global")
    assert row["called_with"] == ["SETITEM ['k'] = 'v'"]


def both_values_of_the_key_are_there(trick: Trick) -> None:
    assert "The first is 'weight'." in trick.problem("pickle-key-twice")["text"]
    values = trick.document.pickles[0].values
    pairs = [(values.text(key), values.plain(value)) for key, value in values.pairs(values.root)]
    assert pairs == [("weight", 1), ("weight", 2)]
    assert [value for _, _, value in trick.values()][-1] == 2


def the_length_is_told(trick: Trick) -> None:
    text = trick.problem("pickle-cut")["text"]
    # 4,611,686,018,427,387,904 are stated, and 4 are there.
    assert "BINBYTES8" in text
    assert "4,611,686,018,427,387,900 more bytes" in text


def the_second_proto_is_told(trick: Trick) -> None:
    assert trick.problem("pickle-second-proto")["start"] == 2


def each_level_is_one_value(trick: Trick) -> None:
    values = trick.document.pickles[0].values
    lists = [row for row in range(len(values.code)) if values.kind(row) is Kind.LIST]
    assert len(lists) == 12
    assert len(values.items(values.root)) == 10
    assert set(values.items(values.root)) == {lists[-2]}


def each_opcode_takes_as_long_as_the_others(trick: Trick) -> None:
    assert len(trick.opcodes()) == 40_001
    assert lines_run(trick.opcodes) < 100 * 40_001


def the_root_is_a_persistent_id(trick: Trick) -> None:
    values = trick.document.pickles[0].values
    assert values.kind(values.root) is Kind.PERSISTENT
    assert values.persistent_text(values.root) == "storage0"


def the_bytearray_is_there(trick: Trick) -> None:
    values = trick.document.pickles[0].values
    assert (trick.facts["root"], values.plain(values.root)) == ("bytearray", b"ab")


def the_escapes_are_read(trick: Trick) -> None:
    values = trick.document.pickles[0].values
    assert values.text(values.root) == "a\nb'c"


def the_gzip_is_opened(trick: Trick) -> None:
    assert trick.hows() == ["", "gzip"]
    assert trick.imported("os.getcwd")["document"] == 1


def offsets_are_of_the_record(trick: Trick) -> None:
    row = trick.imported("os.getcwd")
    assert row["offset"] is None
    assert [use["record"] for use in row["uses"]] == ["a/data.pkl", "a/data.pkl"]


def the_other_record_is_read(trick: Trick) -> None:
    assert trick.hows() == ["", "record a/config.p"]
    assert trick.imported("os.getcwd")["document"] == 1


def the_checksum_is_wrong(trick: Trick) -> None:
    text = trick.problem("record-checksum")["text"]
    assert "a/data.pkl" in text
    assert "0x44332211" in text


def both_names_are_told(trick: Trick) -> None:
    text = trick.problem("zip-local-name")["text"]
    assert "a/datap.kl" in text
    assert "a/data.pkl" in text


def both_files_are_there(trick: Trick) -> None:
    assert [row["format"] for row in trick.facts["documents"]] == ["pickle", "torch-zip"]


def the_directory_is_cut(trick: Trick) -> None:
    assert trick.problem("zip-directory-cut")["text"].startswith("The central directory of the archive is cut.")


def forty_bytes_are_missing(trick: Trick) -> None:
    assert "2,558 bytes are here; at least 2,598 were expected" in trick.problem("file-ends-early")["text"]


CHECKS: Final[dict[str, Check]] = {
    "03_memo_get.pkl": names_come_from_the_memo,
    "06_computed_names.pkl": the_name_is_an_expression,
    "09_reduce_pop.pkl": the_result_is_dropped,
    "10_nested_pickle_bytes.pkl": the_bytes_are_a_child,
    "13_broken_after.pkl": the_break_is_told,
    "16_dotted_name.pkl": the_dotted_name_is_followed,
    "18_py2_map_name.pkl": the_name_is_mapped,
    "20_build_on_module_class.pkl": the_class_is_changed_by_build,
    "21_dup_keys.pkl": both_values_of_the_key_are_there,
    "22_huge_len.pkl": the_length_is_told,
    "24_two_protos.pkl": the_second_proto_is_told,
    "26_billion_laughs.pkl": each_level_is_one_value,
    "27_deep_nesting.pkl": each_opcode_takes_as_long_as_the_others,
    "29_setitem_into_global.pkl": the_class_is_changed_by_setitem,
    "30_persid_text.pkl": the_root_is_a_persistent_id,
    "34_bytearray8.pkl": the_bytearray_is_there,
    "36_string_escapes.pkl": the_escapes_are_read,
    "43_gzip_pickle.pkl": the_gzip_is_opened,
    "51_zip_deflated.pt": offsets_are_of_the_record,
    "53_zip_other_ext.pt": the_other_record_is_read,
    "55_zip_crc_central.pt": the_checksum_is_wrong,
    "58_zip_local_name.pt": both_names_are_told,
    "61_pickle_then_zip.pt": both_files_are_there,
    "64_trunc_zip.pt": the_directory_is_cut,
    "66_stream_trunc.pt": forty_bytes_are_missing,
}


def cases() -> Iterator[object]:
    for name, check in CHECKS.items():
        is_there = (SHARED / "tricks" / name).is_file()
        yield pytest.param(name, check, id=name, marks=[] if is_there else [pytest.mark.skip(reason=ABSENT)])


@pytest.mark.parametrize(("name", "check"), list(cases()))
def test_what_is_said_in_words(name: str, check: Check, shared: Path) -> None:
    document = open_document(shared / "tricks" / name)
    try:
        check(Trick(document))
    finally:
        document.close()


def test_nothing_that_is_said_in_words_is_left_out(shared: Path) -> None:
    worded = {name for name, told in expected("tricks").items() if "note" in told or "problem" in told}
    assert worded - NOT_SO == CHECKS.keys()
