"""Numbers in cells."""

import ml_dtypes
import numpy as np
import pytest

from viewer.core.tensors.dtypes import COMPLEX32
from viewer.ui.models.value_text import bits, exact, scientific, short


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.008065, "0.008065"),
        (-0.06956, "\u22120.06956"),
        (0.0, "0"),
        (-0.0, "\u22120"),
        (0.1085, "0.1085"),
        (51.53, "51.53"),
        (1234567.0, "1.235e6"),
        (0.00001, "1.000e\u22125"),
        (float("nan"), "NaN"),
        (float("-inf"), "\u2212inf"),
        (12345678, "12,345,678"),
        (-3, "\u22123"),
        (True, "True"),
        (np.float16(1.5), "1.500"),
        (ml_dtypes.bfloat16(2.5), "2.500"),
        (np.complex64(1 - 2j), "1.000\u22122.000j"),
        (np.datetime64("2020-01-02"), "2020-01-02"),
        (np.bool_(False), "False"),
    ],
)
def test_short(value, text):
    assert short(value) == text


def test_exact_keeps_every_digit():
    assert exact(np.float64(0.1)) == "0.1"
    assert exact(-12345678) == "\u221212345678"
    assert exact(1.0000000000000002) == "1.0000000000000002"


def half(real, imag):
    return np.array([(real, imag)], dtype=COMPLEX32)[0]


def test_complex_halves_are_written_as_complex_numbers():
    assert short(half(0.1, -2)) == "0.09998\u22122.000j"
    assert exact(half(0.1, -2)) == "0.0999755859375\u22122.0j"
    assert scientific(half(0.5, 2)) == "5.000000e-1+2.000000e0j".replace("-", "\u2212")
    assert bits(half(1, -2)) == "3C00, C000"


def test_the_sign_of_a_nan_is_not_written():
    for nan in (np.float32("nan"), -np.float32("nan")):
        assert exact(complex(0, nan)) == "0.0+NaNj"
