"""One case: its facts, its file, and what `inspect --json` tells of it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests.expected import Facts, expected
from viewer.core.document import Document
from viewer.core.formats.base import Options
from viewer.core.opening import open_document
from viewer.core.summary.facts import facts as summary
from viewer.core.summary.prediction import predict
from viewer.core.summary.rows.inspection import Wanted
from viewer.core.summary.rows.inspection import facts as rows
from viewer.core.summary.rows.json_texts import json_texts
from viewer.core.tensors.tensor import Tensor
from viewer.wording import fill

Check = Callable[["Case", Any], Iterator[str]]


class Case:
    """A case while it is checked; its files are closed at the end."""

    def __init__(self, name: str, shared: Path, empty: Path) -> None:
        self.name = name
        self.facts: Facts = expected("cases")[name]
        self.folder, self.empty = shared / "cases" / name, empty
        self.path = self.folder / self.facts["open"]
        self._open = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, raised: BaseException | None, at: TracebackType | None
    ) -> None:
        self._open.close()

    def open(self, file: str = "", options: Options | None = None) -> Document:
        """A file of the case, its own where none is named."""
        document = open_document(self.folder / (file or self.facts["open"]), options=options)
        self._open.callback(document.close)
        return document

    @cached_property
    def document(self) -> Document:
        return self.open()

    @cached_property
    def found(self) -> dict[str, Any]:
        """The object of `inspect --json`, with hashes, regions and values."""
        return told(self.document)

    @cached_property
    def summary(self) -> Any:
        return summary(self.document)

    @cached_property
    def prediction(self) -> Any:
        return predict(self.document)

    @cached_property
    def holds(self) -> str:
        """What Summary says of the content."""
        return "\n".join(fill(said.text, said.params) for said in self.summary.holds)

    @cached_property
    def sentences(self) -> str:
        """All that is said of what is wrong and of loading, numbers without thousands."""
        told = [*self.found["problems"], *self.found["loading"]["expectations"]]
        return " ".join(row["text"] for row in told).replace(",", "")

    @cached_property
    def codes(self) -> list[str]:
        """Of the Problems, then of what torch.load would do."""
        rows = [*self.found["problems"], *self.found["loading"]["expectations"]]
        return [row["code"] for row in rows]

    @property
    def tensors(self) -> list[Tensor]:
        """Those of the file and of all inside."""
        return [tensor for part in self.document.walk() for tensor in part.tensors]

    def tensor(self, name: str) -> Tensor:
        """The one of a name, or whose path is that one key."""
        (found,) = [tensor for tensor in self.tensors if tensor.name == name or tensor.path == (name,)]
        return found


def told(document: Document) -> dict[str, Any]:
    """The object of `inspect --json` on a document."""
    wanted = Wanted(hashes=True, regions=True, values=True)
    found: dict[str, Any] = json.loads("".join(json_texts(rows(document, wanted))))
    return found


def differs(what: str, ours: object, stated: object) -> Iterator[str]:
    """A line where two things are not the same."""
    if ours != stated:
        yield f"{what}: {ours!r} is not {stated!r}"


def digest(data: bytes | str) -> str:
    """The SHA-256 of bytes, or of a text as UTF-8."""
    return hashlib.sha256(data.encode() if isinstance(data, str) else data).hexdigest()
