"""Text that lies where a checkpoint should: pointers, pages, error answers."""

from __future__ import annotations

import codecs
import html
import json
import re
from typing import Final

from viewer.core.formats.recognition.guess import Guess, Sight
from viewer.wording.phrases import phrase

POINTER: Final = re.compile(r"version https://(?:git-lfs\.github\.com|hawser\.github\.com)/spec/")
OID: Final = re.compile(r"^oid (?:\w+:)?([0-9a-f]{16,128})\s*$", re.MULTILINE)
SIZE: Final = re.compile(r"^size (\d{1,19})\s*$", re.MULTILINE)
PAGE: Final = re.compile(
    r"\s*(?:<\?xml.{0,200}?\?>\s*)?(?:<!--.{0,2000}?-->\s*)*<(?:!doctype html|html|head|body)\b", re.I | re.S
)
TITLE: Final = re.compile(r"<title[^>]{0,200}>(.{0,500}?)</title", re.I | re.S)
MARKUP: Final = re.compile(r"\s*<(?:\?xml\b|[A-Za-z_][\w.:-]*[\s/>])")
CODE: Final = re.compile(r"<(?:Code|code|Message|message)>([^<]{1,200})<")
JSON_START: Final = re.compile(r'\s*(?:\{\s*(?:"|\}|$)|\[\s*(?:["\[\]{\d-]|true|false|null|$))')
WEIGHT_MAP: Final = re.compile(r'"weight_map"\s*:')
ENCODED: Final = {"gAKKCmz8": phrase("kind-base64-legacy"), "UEsDB": phrase("kind-base64-zip")}
MARKS: Final = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
SOURCE: Final = re.compile(
    r"^(?:import [\w.]+(?: as \w+)?$|from [\w.]+ import [\w(*]|(?:def|class) \w+\b.{0,200}:$)", re.MULTILINE
)
CONTROL: Final = re.compile(r"[\x00-\x07\x0e-\x1a\x1c-\x1f\x7f]")
LONGEST: Final = 200


def by_markup(sight: Sight) -> Guess | None:
    """Text of a kind that shows in its first characters."""
    text = as_text(sight)
    if text is None:
        return None
    if POINTER.match(text):
        return pointer(text)
    if PAGE.match(text):
        title = TITLE.search(text)
        shown = short(html.unescape(title[1])) if title else None
        return Guess("html", shown, {"title": shown} if shown else {})
    if MARKUP.match(text):
        code = CODE.search(text)
        return Guess("xml", short(html.unescape(code[1])) if code else None)
    return json_guess(text, sight.whole) if JSON_START.match(text) else None


def by_text(sight: Sight) -> Guess | None:
    """Any other text."""
    text = as_text(sight)
    if text is None or not text.strip():
        return None
    encoded = next((name for start, name in ENCODED.items() if text.startswith(start)), None)
    return Guess("text", encoded or (phrase("kind-python") if SOURCE.search(text) else None))


def as_text(sight: Sight) -> str | None:
    """The first bytes as text; None when they are none. A character cut at the end does not matter."""
    head = sight.head
    coding = next((name for mark, name in MARKS.items() if head.startswith(mark)), "utf-8")
    try:
        text = codecs.getincrementaldecoder(coding)().decode(head, sight.whole)
    except UnicodeDecodeError:
        return None
    return None if CONTROL.search(text) else text


def pointer(text: str) -> Guess:
    """The name and size of the real file that a Git LFS pointer states."""
    oid, size = OID.search(text), SIZE.search(text)
    params: dict[str, object] = {}
    if oid:
        params["oid"] = oid[1]
    if size:
        params["size"] = int(size[1])
    return Guess("git-lfs-pointer", None, params)


def json_guess(text: str, whole: bool) -> Guess | None:
    """JSON, and of an error answer what it says; None where the text only begins like JSON."""
    if not whole:
        return Guess("sharded-index" if WEIGHT_MAP.search(text) else "json")
    try:
        value = json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return Guess("sharded-index") if WEIGHT_MAP.search(text) else None
    if not isinstance(value, dict):
        return Guess("json")
    if isinstance(value.get("weight_map"), dict) or {"metadata", "weight_map"} <= value.keys():
        return Guess("sharded-index")
    said = (value.get(key) for key in ("error", "message", "detail"))
    return Guess("json", next((short(item) for item in said if isinstance(item, str) and item.strip()), None))


def short(text: str) -> str:
    """One line of it, not too long."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else line[: LONGEST - 1] + "\u2026"
