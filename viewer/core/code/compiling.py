"""What Python's compiler has against a text. The one place where a text is compiled; its code is thrown away unrun.

The parser alone lets pass what no module can hold, as `return` outside of a function.
"""

from __future__ import annotations

import ast
import warnings

from viewer.core.code.python_text import Fault


def compiler_fault(source: ast.Module | bytes, shift: int = 0) -> Fault | None:
    """Why Python would not import a tree or the bytes of a file; None where it would. `shift`: to the text's lines."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(source, "<text of a model file>", "exec", dont_inherit=True)
    except SyntaxError as failure:
        return Fault("syntax", max((failure.lineno or 0) + shift, 0), failure.msg or "invalid syntax")
    except (RecursionError, MemoryError):
        return Fault("too-deep")
    except ValueError:
        return Fault("not-text")
    return None
