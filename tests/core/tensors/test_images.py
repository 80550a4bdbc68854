"""Pictures of tensors, pixel by pixel."""

from __future__ import annotations

import numpy as np
import pytest

from tests.core.tensors.test_sheet import of
from viewer.core.tensors import images
from viewer.core.tensors.images import picture_of


def test_bytes_are_shown_as_they_are() -> None:
    array = np.arange(2 * 3 * 3, dtype=np.uint8).reshape(2, 3, 3) * 10
    picture = picture_of(of(array, "uint8"))
    assert picture is not None
    pixels, used = picture.read(0, 170)
    assert np.array_equal(pixels, array)
    assert used.all()
    assert picture.index(1, 2) == (1, 2, 0)


def test_colours_may_stand_first_and_shares_are_light() -> None:
    array = np.zeros((3, 4, 5), "<f4")
    array[1, 2, 3] = 1
    picture = picture_of(of(array))
    assert picture is not None
    pixels, _ = picture.read(0, 1)
    assert pixels[2, 3].tolist() == [0, 255, 0]
    assert pixels.sum() == 255
    assert picture.index(2, 3) == (0, 2, 3)


def test_other_numbers_go_from_the_least_to_the_greatest() -> None:
    array = np.array([[[-2, 0, 2]] * 2] * 2, "<f4")
    picture = picture_of(of(array))
    assert picture is not None
    assert picture.read(-2, 2)[0][0, 0].tolist() == [0, 128, 255]


def test_kernels_over_three_colours_are_tiles() -> None:
    weight = np.zeros((5, 3, 2, 2), "<f4")
    weight[4, 2, 1, 0] = 1
    picture = picture_of(of(weight))
    assert picture is not None
    pixels, used = picture.read(0, 1)
    assert pixels.shape == (5, 8, 3)
    assert pixels[4, 3].tolist() == [0, 0, 255]
    assert pixels.sum() == 255
    assert not used[2].any()
    assert int(used.sum()) == 5 * 4
    assert picture.index(4, 3) == (4, 0, 1, 0)
    assert picture.index(2, 0) is None
    assert picture.index(4, 7) is None


def test_large_pictures_are_thinned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(images, "LARGEST", 5)
    array = np.random.default_rng(1).integers(0, 255, (10, 4, 3), dtype=np.uint8)
    picture = picture_of(of(array, "uint8"))
    assert picture is not None
    assert np.array_equal(picture.read(0, 255)[0], array[::2, ::2])
    assert picture.index(3, 1) == (6, 2, 0)


@pytest.mark.parametrize("shape", [(2, 3), (5, 4, 5), (0, 3, 3), (8, 3, 1, 1), (8, 4, 3, 3)])
def test_what_is_no_picture(shape: tuple[int, ...]) -> None:
    assert picture_of(of(np.zeros(shape, "<f4"))) is None


@pytest.mark.parametrize("shape", [(5, 3, 2, 2), (4, 5, 3), (3, 4, 5), (3, 4, 3)])
def test_each_element_of_the_first_colour_has_its_pixel(shape: tuple[int, ...]) -> None:
    picture = picture_of(of(np.zeros(shape, "<f4")))
    assert picture is not None
    height, width = picture.read(0, 1)[1].shape
    found = [(at, index) for at in np.ndindex(height, width) if (index := picture.index(*at)) is not None]
    assert len(found) == np.prod(shape) // 3
    assert all(picture.pixel(index) == at for at, index in found)
    assert picture.pixel((0,)) is None
