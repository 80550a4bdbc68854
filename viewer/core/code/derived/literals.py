"""Values and names of a file as Python code that is safe to write: escaped, bounded, never more than one line."""

from __future__ import annotations

import builtins
import keyword
import math
import unicodedata
from typing import Final

from viewer.core.code.python_text import is_plain_name

LONGEST_TEXT: Final = 2000
"""Characters of a text, or bytes, that are written out."""
LONGEST_NAME: Final = 60
_DECIMAL_BITS: Final = 1024
_HEXADECIMAL_BITS: Final = 65_536
_OF_MODULES: Final = (
    "T_destination _apply _call_impl _compiled_call_impl _get_backward_hooks _get_backward_pre_hooks _get_name "
    "_load_from_state_dict _maybe_warn_non_full_backward_hook _named_members _register_load_state_dict_pre_hook "
    "_register_state_dict_hook _replicate_for_data_parallel _save_to_state_dict _slow_forward _version "
    "_wrapped_call_impl add_module apply bfloat16 buffers call_super_init children compile cpu cuda double "
    "dump_patches eval extra_repr float forward get_buffer get_extra_state get_parameter get_submodule half ipu "
    "load_state_dict modules mtia named_buffers named_children named_modules named_parameters parameters "
    "register_backward_hook register_buffer register_forward_hook register_forward_pre_hook "
    "register_full_backward_hook register_full_backward_pre_hook register_load_state_dict_post_hook "
    "register_load_state_dict_pre_hook register_module register_parameter register_state_dict_post_hook "
    "register_state_dict_pre_hook requires_grad_ set_extra_state set_submodule share_memory state_dict to to_empty "
    "train training type xpu zero_grad"
)
MODULE_NAMES: Final = frozenset(_OF_MODULES.split())
"""What nn.Module itself has by name: such an attribute must not be set before its last method was called."""
# Names that the made texts use themselves, so that no class and no argument may have them.
USED: Final = frozenset(
    {"self", "torch", "nn", "F", "np", "math", "OrderedDict", "argparse", "collections", "types", *dir(builtins)}
)


def quoted(text: str) -> str:
    """A text as a literal on one line, in double quotes where it can be; what does not print is escaped."""
    written = repr(text)
    if '"' in text or not written.startswith("'"):
        return written
    return f'"{written[1:-1]}"'


def shown(text: str, limit: int = 200) -> str:
    """A text for a comment: escaped as in a literal, without its quotes, of bounded length."""
    cut = text if len(text) <= limit else text[: limit - 1] + "…"
    return repr(cut)[1:-1]


def number(plain: complex) -> str:
    """A bool, int, float or complex; "" for an int that is too long to be written."""
    if isinstance(plain, int):
        bits = plain.bit_length()
        return repr(plain) if bits <= _DECIMAL_BITS else hex(plain) if bits <= _HEXADECIMAL_BITS else ""
    if isinstance(plain, complex):
        return f"complex({number(plain.real)}, {number(plain.imag)})"
    if math.isnan(plain):
        return 'float("nan")'
    if math.isinf(plain):
        return 'float("inf")' if plain > 0 else 'float("-inf")'
    return repr(plain)


def is_attribute(name: str) -> bool:
    """True for a name that can stand behind `self.` in a class: `__x` would become `_Class__x` there."""
    return is_plain_name(name) and not name.startswith("__")


def identifier(text: str, fallback: str) -> str:
    """An identifier that resembles a text and hides nothing that the made code uses."""
    folded = unicodedata.normalize("NFKC", text[: 4 * LONGEST_NAME])
    name = "".join(sign if sign == "_" or f"a{sign}".isidentifier() else "_" for sign in folded).lstrip("_")
    name = unicodedata.normalize("NFKC", name[:LONGEST_NAME])
    if not name.strip("_"):
        name = fallback
    if not name.isidentifier():
        name = f"{fallback}_{name}"
    if not name.isidentifier():
        return fallback
    return f"{name}_" if keyword.iskeyword(name) or name in USED else name
