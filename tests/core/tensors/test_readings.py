"""The inspector's rows."""

from viewer.core.tensors.readings import readings


def _rows(data):
    return {row.name: row for row in readings(data)}


def test_numbers_in_both_byte_orders():
    rows = _rows(bytes.fromhex("5271 3c74 713d 5271".replace(" ", "")))
    assert (rows["uint8"].little, rows["uint8"].big) == (82, 82)
    assert (rows["int16"].little, rows["int16"].big) == (29010, 21105)
    assert (rows["uint32"].little, rows["uint32"].big) == (1950118226, 1383152756)
    assert rows["int64"].little == 0x71523D71743C7152
    assert (float(rows["float16"].little), float(rows["float16"].big)) == (10896.0, 51.53125)


def test_float8_and_bfloat16():
    rows = _rows(b"\x80\x3f")
    assert float(rows["bfloat16"].little) == 1.0
    assert float(_rows(b"\x38")["fp8 e4m3"].little) == 1.0
    assert float(_rows(b"\x3c")["fp8 e5m2"].little) == 1.0


def test_leb128():
    rows = _rows(b"\xe5\x8e\x26")
    assert (rows["LEB128"].little, rows["LEB128"].size) == (624485, 3)
    assert _rows(b"\x7f")["signed LEB"].little == -1
    assert _rows(b"\xff" * 12)["LEB128"].little is None


def test_utf8_letters():
    assert _rows("\u00e9x".encode())["UTF-8"].little == "\u00e9 U+00E9 LATIN SMALL LETTER E WITH ACUTE"
    assert _rows(b"\n")["UTF-8"].little == "\\n U+000A"
    assert _rows(b"\xff")["UTF-8"].little is None


def test_missing_bytes_are_no_numbers():
    rows = _rows(b"\x01\x02\x03")
    assert rows["uint16"].little == 513
    assert rows["uint32"].little is None
    assert rows["float64"].big is None
    assert _rows(b"")["uint8"].little is None
