"""The filter of the tensors: what each form finds, what is said of what is no filter."""

from __future__ import annotations

import pytest

from tests.builders.torch_values import full, storage, tensor
from tests.builders.torch_zip import torch_zip
from tests.opened import opened
from viewer.core.progress import Progress
from viewer.core.tensors.filtering import FilterError, filtered, parse
from viewer.core.tensors.health import scan
from viewer.wording.tensor_filter import TENSOR_FORMS

PAIR = storage("float32", range(6))
VALUES = {
    "layer.0.weight": full("float32", (2, 768), [0.5, *range(1535)]),
    "layer.0.bias": full("float32", (768,), range(768)),
    "Layer.1.weight": full("bfloat16", (3, 4, 5), range(60)),
    "nan_mask": full("bool", (4,), [1, 0, 1, 0]),
    "steps": full("int64", (), [7]),
    "one": tensor(PAIR, (2, 3)),
    "two": tensor(PAIR, (6,)),
    "sick": full("float32", (2,), [float("nan"), 1]),
}
NAMES = list(VALUES)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("", NAMES),
        ("weight", ["layer.0.weight", "Layer.1.weight"]),
        ("WEIGHT layer.0", ["layer.0.weight"]),
        ("layer -bias", ["layer.0.weight", "Layer.1.weight"]),
        ("*.weight", ["layer.0.weight", "Layer.1.weight"]),
        ("layer.[1-3].*", ["Layer.1.weight"]),
        ("name:s*", ["steps", "sick"]),
        ('"nan"', ["nan_mask"]),
        ("nan", ["sick"]),
        ("NaN", ["sick"]),
        ("-nan dtype:f32", ["layer.0.weight", "layer.0.bias", "one", "two"]),
        ("dtype:bf16", ["Layer.1.weight"]),
        ("dtype:torch.int64", ["steps"]),
        ("dtype:*int*", ["steps"]),
        ("shape:[*,768]", ["layer.0.weight"]),
        ("shape:[..., 768]", ["layer.0.weight", "layer.0.bias"]),
        ("shape:3x4x5", ["Layer.1.weight"]),
        ("shape:[*, >3, *]", ["Layer.1.weight"]),
        ("shape:[]", ["steps"]),
        ("rank:0", ["steps"]),
        ("rank>=2", ["layer.0.weight", "Layer.1.weight", "one"]),
        ("size>3kB", ["layer.0.weight", "layer.0.bias"]),
        ("size:<=8", ["nan_mask", "steps", "sick"]),
        ("elements=60", ["Layer.1.weight"]),
        ("shared", ["one", "two"]),
        ("cut", []),
        ("device:cpu steps", ["steps"]),
    ],
)
def test_what_a_filter_finds(text: str, names: list[str]) -> None:
    tensors = opened(torch_zip(VALUES)).tensors
    health = scan(tensors, Progress())
    assert [NAMES[number] for number in filtered(tensors, parse(text), health, Progress())] == names


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("dtype:fp33", "There is no type fp33: write bf16, float32, int8 or float8*."),
        ("shape:[*,", "A bracket is open: write shape:[*,768]."),
        ("shape:[a]", "a is no size: write a number, * or ... for any number of axes."),
        ("shape:[...,2,...]", "... is no size: write a number, * or ... for any number of axes."),
        ("size>big", "big is no number of bytes: write 1MB, 64k or 1000."),
        ("elements>", "elements needs a number: write elements>1000."),
        ("colour:red", "There is no field colour: use name, dtype, shape, rank, size, elements, file, device."),
        (
            "shape>5",
            "A shape has several sizes: write shape:[>5,...] for the first, rank>2 for their number, or elements>5.",
        ),
        (
            "shape:<=[5]",
            (
                "A shape has several sizes: write shape:[<=100,...] for the first, rank<=2 for their number, "
                "or elements<=100."
            ),
        ),
        ("dtype>f16", "dtype is no number, so > says nothing: write dtype: and what to look for."),
        ("file<2", "file is no number, so < says nothing: write file: and what to look for."),
        ('"two words', 'A quote is open: write "two words".'),
    ],
)
def test_what_is_said_of_what_is_no_filter(text: str, sentence: str) -> None:
    with pytest.raises(FilterError) as failure:
        parse(text)
    assert str(failure.value) == sentence


def test_findings_want_a_scan() -> None:
    with pytest.raises(FilterError) as failure:
        filtered([], parse("nan"), None, Progress())
    assert str(failure.value) == "nan is known once values are scanned."


@pytest.mark.parametrize("form", TENSOR_FORMS, ids=lambda form: form.example)
def test_each_example_is_a_filter(form) -> None:
    assert not parse(form.example).is_empty


@pytest.mark.parametrize("text", ["shape:[>5,...]", "rank>2", "elements>5", "shape=[3]", "dtype=f32", "-shape:[3]"])
def test_what_is_told_to_be_written_is_a_filter(text: str) -> None:
    assert not parse(text).is_empty
