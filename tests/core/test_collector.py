"""The collector of cycles stands still in a block and goes on as before behind it."""

from __future__ import annotations

import gc
import threading
import weakref

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
            leave.wait(120)

    other = threading.Thread(target=hold)
    with collector_paused():
        other.start()
        assert inside.wait(120)
    assert not gc.isenabled()
    leave.set()
    other.join()
    assert gc.isenabled()


def test_what_was_made_inside_is_not_walked_by_the_next_collection() -> None:
    with collector_paused():
        made = [[number] for number in range(1000)]
    assert gc.get_freeze_count() == 0
    young = {id(item) for item in gc.get_objects(generation=0)}
    assert not any(id(item) in young for item in made)
    old = {id(item) for item in gc.get_objects(generation=2)}
    assert all(id(item) in old for item in made)


def test_cycles_made_inside_are_collected_in_the_end() -> None:
    class Node:
        me: Node

    with collector_paused():
        node = Node()
        node.me = node
        gone = weakref.ref(node)
        del node
    assert gone() is not None
    gc.collect()
    assert gone() is None
