"""Facts of bytes against the standard library, and ranges as files."""

import hashlib
import math
import os
import random
import zlib
from collections import Counter
from itertools import pairwise

import pytest

from viewer.core.byte_facts import facts_of
from viewer.core.dumped import dump
from viewer.core.errors import CancelledError, ExportError
from viewer.core.export.atomic import FileId
from viewer.core.export.ranges import save_ranges
from viewer.core.progress import Progress
from viewer.core.source import BLOCK, FileSource, MemorySource
from viewer.core.span import Span


def test_facts_are_those_of_the_bytes():
    data = random.Random(1).randbytes(BLOCK + 100) + bytes(500)
    spans = [Span(3, 50), Span(100, len(data))]
    chosen = b"".join(data[span.start : span.stop] for span in spans)
    facts = facts_of(MemorySource(data), spans, Progress())
    counts = Counter(chosen)
    assert (facts.length, facts.crc32) == (len(chosen), zlib.crc32(chosen))
    names = ("md5", "sha1", "sha256")
    assert [facts.md5, facts.sha1, facts.sha256] == [hashlib.new(name, chosen).hexdigest() for name in names]
    assert (facts.zeros, facts.distinct) == (counts[0], len(counts))
    assert facts.printable == sum(number for value, number in counts.items() if 0x20 <= value < 0x7F)
    shares = [number / len(chosen) for number in counts.values()]
    assert facts.entropy == pytest.approx(-sum(share * math.log2(share) for share in shares))
    parts = [data[span.start : span.stop] for span in spans]
    pairs = Counter(pair for part in parts for pair in pairwise(part))
    assert facts.pairs.sum() == sum(pairs.values()) == len(chosen) - len(parts)
    assert all(facts.pairs[pair] == number for pair, number in pairs.items())


def test_no_bytes_have_facts_too():
    facts = facts_of(MemorySource(b""), [Span(0, 0)], Progress())
    assert (facts.length, facts.crc32, facts.entropy, facts.distinct) == (0, 0, 0, 0)


def test_ranges_are_written_whole_or_not_at_all(tmp_path):
    path = tmp_path / "a.bin"
    path.write_bytes(bytes(range(256)) * 8192)
    source, target = FileSource(path), tmp_path / "out.bin"
    assert save_ranges(source, [Span(5, 8), Span(256, 2**20 + 300)], target, Progress()) == 2**20 + 47
    assert target.read_bytes() == path.read_bytes()[5:8] + path.read_bytes()[256 : 2**20 + 300]
    with pytest.raises(ExportError):
        save_ranges(source, [Span(0, 1)], target, Progress())
    kept = [FileId(source.identity.device, source.identity.inode)]
    with pytest.raises(ExportError):
        save_ranges(source, [Span(0, 1)], path, Progress(), overwrite=True, kept=kept)
    stopped = Progress()
    stopped.cancel()
    with pytest.raises(CancelledError):
        save_ranges(source, [Span(0, 1)], tmp_path / "stopped.bin", stopped)
    os.truncate(path, 10)
    source.forget()
    with pytest.raises(ExportError) as raised:
        save_ranges(source, [Span(0, 100)], tmp_path / "cut.bin", Progress())
    assert raised.value.code == "source-cut"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a.bin", "out.bin"]
    source.close()


def test_a_dump_is_written_in_whole_rows(tmp_path, monkeypatch):
    data = bytes(range(256)) * 4
    whole = dump(5, data[5:1000])
    monkeypatch.setattr("viewer.core.export.ranges.BLOCK", 64)
    target = tmp_path / "dump.txt"
    spans = [Span(5, 1000), Span(1010, 1012)]
    assert save_ranges(MemorySource(data), spans, target, Progress(), as_dump=True) == 997
    assert target.read_text() == whole + dump(1010, data[1010:1012])
    first, *rest = whole.splitlines()
    assert first == "00000000                 05 06 07  08 09 0a 0b 0c 0d 0e 0f  |     ...........|"
    assert len(rest) == 62
    assert dump(0, b"") == ""
    assert dump(2**40 + 15, b"ab").splitlines()[1].startswith("10000000010  62 ")
