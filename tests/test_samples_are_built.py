"""resources/samples holds what `python -m tests.builders.samples` writes, byte for byte."""

from __future__ import annotations

import hashlib
import json
from typing import Final

import pytest

from tests.builders.sample_values import weights
from tests.builders.samples import FOLDER, SAMPLES, files, listing

HASHES: Final = {
    "checkpoint_adam.pt": "8908c7a97df03b36d1a49385e36ab1ddfff1d5314761aee9ce5d08e8ecf7ca78",
    "half_download.pth": "4c76c613623473964dd88acb9c3f78d95b2d851fd3e6542386d0ca2c52aabd73",
    "runs_a_command.pkl": "d141b8a7a008a3afb28cb1b4e851b1ef9f6a387ebda32f7cdef4a1c0e3883b51",
    "shared_and_strided.pt": "14edb3508624a1280530b2a5a864f4eb5f7173efc012f7bcb2135be9e996ce3e",
    "whole_model_legacy.pth": "835b8e566c96a7eb481f0949a5ca11dbf0f6fdbe5faf80e711c9549e3abf70ac",
    "whole_model_zip.pt": "8e0d1021f6ed12c946f58419715e9221bb39f4d90e3620e4db8d7cbb28521864",
}


@pytest.fixture(scope="module")
def built() -> dict[str, bytes]:
    return files()


@pytest.mark.parametrize("name", [sample.file for sample in SAMPLES] + ["samples.json"])
def test_the_sample_is_what_the_builders_give(built: dict[str, bytes], name: str) -> None:
    assert (FOLDER / name).read_bytes() == built[name]


def test_nothing_else_lies_there(built: dict[str, bytes]) -> None:
    assert {path.name for path in FOLDER.iterdir()} == set(built)


@pytest.mark.parametrize("name", HASHES)
def test_no_machine_gives_other_bytes(built: dict[str, bytes], name: str) -> None:
    assert hashlib.sha256(built[name]).hexdigest() == HASHES[name]


def test_samples_are_small(built: dict[str, bytes]) -> None:
    assert 30_000 <= len(built["whole_model_legacy.pth"]) <= 60_000
    assert sum(map(len, built.values())) < 200_000


def test_weights_stay_in_their_width() -> None:
    numbers = weights(1, 1000, 0.5, 1.0)
    assert all(0.5 <= number <= 1.5 for number in numbers)
    assert abs(sum(numbers) / 1000 - 1.0) < 0.02


def test_the_hostile_sample_only_prints(built: dict[str, bytes]) -> None:
    assert built["runs_a_command.pkl"].count(b"posix\nsystem\n") == 1
    assert b"echo " in built["runs_a_command.pkl"]


def test_the_listing_has_all_samples_in_words() -> None:
    rows = json.loads(listing())
    assert [row["file"] for row in rows] == [sample.file for sample in SAMPLES]
    assert all(not row[key].endswith(".") and row[key][0].isupper() for row in rows for key in ("title", "sentence"))
