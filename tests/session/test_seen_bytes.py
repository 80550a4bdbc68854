"""Bytes that were seen before a file was read again."""

from viewer.session.seen_bytes import MOST, Seen, SeenBytes


def test_only_bytes_that_were_seen_can_have_changed():
    seen = SeenBytes()
    seen.remember(Seen("", 10, b"abcdef"))
    assert seen.changed(Seen("", 8, b"xxabXdeYzz")) == [(12, 13), (15, 16)]
    assert seen.changed(Seen("record", 8, b"xxabXdeYzz")) == []
    assert seen.changed(Seen("", 100, b"abc")) == []
    assert seen.changed(Seen("", 12, b"")) == []


def test_what_was_seen_last_counts():
    seen = SeenBytes()
    seen.remember(Seen("", 0, b"aaaa"))
    seen.remember(Seen("", 2, b"bb"))
    assert seen.changed(Seen("", 0, b"aabb")) == []
    assert seen.changed(Seen("", 0, b"aaaa")) == [(2, 4)]


def test_little_is_kept():
    seen = SeenBytes()
    for at in range(0, 4 * MOST, MOST // 4):
        seen.remember(Seen("", at, bytes(MOST // 4)))
    assert seen.changed(Seen("", 0, b"x")) == []
    assert seen.changed(Seen("", 4 * MOST - 1, b"x")) == [(4 * MOST - 1, 4 * MOST)]
    assert sum(len(each.data) for each in seen._seen) <= MOST
