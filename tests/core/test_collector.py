"""The collector of cycles stands still in a block and goes on as before behind it."""

from __future__ import annotations

import gc
import threading

import pytest

from viewer.core.collector import collector_paused


def test_it_stands_still_in_the_block_only() -> None:
    with collector_paused():
        assert not gc.isenabled()
        with collector_paused():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()


def test_it_goes_on_after_a_failure() -> None:
    with pytest.raises(KeyError), collector_paused():
        raise KeyError
    assert gc.isenabled()


def test_a_collector_that_was_off_stays_off() -> None:
    gc.disable()
    try:
        with collector_paused():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_the_last_of_two_threads_lets_it_go_on() -> None:
    inside, leave = threading.Event(), threading.Event()

    def hold() -> None:
        with collector_paused():
            inside.set()
            leave.wait(10)

    other = threading.Thread(target=hold)
    with collector_paused():
        other.start()
        assert inside.wait(10)
    assert not gc.isenabled()
    leave.set()
    other.join()
    assert gc.isenabled()
