"""What a translation must keep of its sentence: places, names, numbers, marks at the end; and that it is one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

PLACE: Final = re.compile(r"\{[^{}]*\}")
FILLED: Final = "\N{OBJECT REPLACEMENT CHARACTER}"
TAG: Final = re.compile(r"</?[a-z][^<>]*>|`")
NAME: Final = re.compile(r"[A-Za-z_]\w*(?:[._]\w+)+|\*?\.[a-z]\w*|0x[0-9A-F]+|\bend-\d+|\b[A-Z][A-Z0-9_]{2,}\b")
"""What stands in code or in a file: torch.load, state_dict, *.npy, 0x80, MEMOIZE."""
NUMBER: Final = re.compile(r"\d+")
WORD: Final = re.compile(r"[A-Za-z]{2,}")
ACCELERATOR: Final = re.compile(r"&(?=\w)")
SCRIPTS: Final = {
    "zh_CN": re.compile("[\u4e00-\u9fff]"),
    "ja": re.compile("[\u3041-\u30ff\u4e00-\u9fff]"),
    "fa": re.compile("[\u0600-\u06ff]"),
}
STOPS: Final = {"zh_CN": "。", "ja": "。", "fa": "."}
COLONS: Final = (":", "：")
KEPT_WORDS: Final = (
    "Picklescope PyTorch torch TorchScript TensorFlow Python numpy NumPy pickle pickletools safetensors joblib "
    "dtype dtypes state_dict zip tar gzip bzip xz zstd lzma zlib json JSON csv CSV npy npz pt pth pt2 "
    "Git git LFS lfs pull base64 base decode utf UTF ASCII IEEE CRC SHA MD5 CUDA CPU GPU NaN NaNs Inf inf nan "
    "kB MB GB TB KiB MiB GiB bit NUL ULEB128 LEB128 FP int uint float bfloat Hugging Face Hub HuggingFace Lightning "
    "DeepSpeed FSDP Keras Qt Ctrl Shift Alt Esc PNG SVG HTML URL ID id hex ok OK macOS Linux Windows PyInstaller "
    "Megatron Accelerate Transformers Caffe2 ONNX AOTInductor ExecuTorch GGUF HDF5 MMM yyyy v1 v2 True False None "
    "RGB AdamW Adam SGD State dict memo Memo ranks Base of"
)
"""Words that technical people write as they are in every language."""
KEPT: Final = frozenset(KEPT_WORDS.split())


def faults(code: str, english: str, translation: str) -> list[str]:
    """What is wrong with a translation; nothing where it may be used."""
    return list(_faults(code, english, translation))


def _faults(code: str, english: str, translation: str) -> Iterator[str]:
    if not translation.strip():
        yield "it is empty"
        return
    places, theirs = set(PLACE.findall(english)), set(PLACE.findall(translation))
    if places != theirs:
        yield f"its places are {' '.join(sorted(theirs)) or 'none'}, not {' '.join(sorted(places)) or 'none'}"
    if Counter(TAG.findall(english)) != Counter(TAG.findall(translation)):
        yield "it marks other parts as code"
    # Chinese and Japanese need no blank between what is put together.
    if translation != translation.strip() and _blanks(translation) != _blanks(english):
        yield "its blanks at the ends are others"
    if english.count("\n") != translation.count("\n"):
        yield "its lines are others"
    bare, said = PLACE.sub(FILLED, english), PLACE.sub(FILLED, translation)
    if len(ACCELERATOR.findall(bare)) != len(ACCELERATOR.findall(said)):
        yield "it has another number of accelerators"
    yield from _ends(code, bare, said)
    if not english.startswith("d MMM"):
        yield from _kept(bare, said)
    if needs_translation(english) and not SCRIPTS[code].search(said):
        yield "it is not translated"
    if "{" in PLACE.sub("", translation) or "}" in PLACE.sub("", translation):
        yield "a brace has no other"


def _blanks(text: str) -> tuple[str, str]:
    return text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]


def _ends(code: str, english: str, translation: str) -> Iterator[str]:
    """The last mark: an ellipsis, a colon, the full stop of a sentence."""
    english, translation = english.rstrip(), translation.rstrip()
    if english.endswith("…") != translation.endswith("…"):
        yield "it ends with an ellipsis, or the sentence does"
    if english.endswith(":") != translation.endswith(COLONS):
        yield "it ends with a colon, or the sentence does"
    if english.endswith(".") != translation.endswith(STOPS[code]):
        yield f"it ends with {STOPS[code]}, or the sentence does with a full stop"


def _kept(english: str, translation: str) -> Iterator[str]:
    lost = [name for name in set(NAME.findall(english)) if name not in translation]
    if lost:
        yield f"it lacks {' '.join(sorted(lost))}"
    numbers = set(NUMBER.findall(english)) - set(NUMBER.findall(translation))
    if numbers:
        yield f"it lacks the number {' '.join(sorted(numbers))}"


def needs_translation(english: str) -> bool:
    """Whether a word of it is neither a name in code nor a term that stays."""
    bare = NAME.sub(" ", TAG.sub(" ", PLACE.sub(" ", english)))
    return any(word not in KEPT for word in WORD.findall(ACCELERATOR.sub("", bare)))
