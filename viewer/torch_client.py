"""Asks torch, in a child process: is an export what was meant, what do its own classes look like, does a file load?

The outcome is a Verdict, TorchTexts, or a TorchAnswer, never an exception of torch.

torch is found without importing it. A child that dies, hangs or needs too much memory costs one sentence.
"""

from __future__ import annotations

import contextlib
import hashlib
import queue
import subprocess
import threading
import time
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

from viewer.core.code.torch_text import TorchText, TorchTexts
from viewer.core.export import exporter_of
from viewer.core.export.elements import raw
from viewer.core.export.nesting import Nesting
from viewer.core.export.plan import Item, Report, Verdict
from viewer.core.export.special import META, NESTED, SPARSE
from viewer.core.memory import limit
from viewer.core.summary.torch_answer import TorchAnswer
from viewer.core.tensors.packed import per_byte
from viewer.core.tensors.window import blocks, nbytes, packed_bytes
from viewer.torch_process.protocol import OLDEST, Line, encode_line, parse_line
from viewer.torch_python import child_command, child_environment, torch_is_there

if TYPE_CHECKING:
    from viewer.core.progress import Progress
    from viewer.core.tensors.tensor import Quantizer, Tensor

PATIENCE: Final = 120.0
"""Seconds without any sign of life after which the child is given up; importing torch from a slow disk takes long."""
LOADING: Final = 600.0
"""The same for a file that is loaded as a whole: there is no sign of life on the way."""
LOOK: Final = 0.05
"""Seconds between two looks at the progress, so that stopping is quick."""
MAPPED_FROM: Final = 1024**3
"""Bytes of a zip from which on its storages are mapped when it is loaded, not read."""
STEP: Final = "verify"
LARGE: Final = 1024 * 1024
"""Bytes of a tensor that the child begins to hash while this process does."""
MOST_WAITING: Final = 8 * 1024
"""Bytes of lines that are sent at once: a pipe takes them without anyone waiting."""


def verify(report: Report, progress: Progress) -> Verdict:
    """Have the form's reference reader read an export and compare every tensor. Raises CancelledError, SourceError."""
    # What was written last is no part of what is checked.
    progress.at("", 0, 0)
    verdict = exporter_of(report.plan.form).verify(report, progress)
    return verdict if verdict is not None else verify_with_torch(report, progress)


def verify_with_torch(report: Report, progress: Progress, command: list[str] | None = None) -> Verdict:
    """Load a state_dict with weights_only=True in the child and compare. `command`: another child, for tests."""
    if command is None and not torch_is_there():
        return Verdict("torch-absent", None)
    try:
        with Child(command or child_command(), progress) as child:
            return Questions(child, report, progress).ask()
    except OSError as failure:
        return Verdict("torch-broken", None, {"reason": failure.strerror or str(failure)})


def torch_texts(names: Iterable[str], progress: Progress, command: list[str] | None = None) -> TorchTexts:
    """The installed texts of torch's own module classes and of their bases, by qualified name.

    `names` may come from a file: only names below torch are looked up, among what `import torch` loads.
    `command`: another child, for tests. Raises CancelledError.
    """
    wanted = list(dict.fromkeys(names))
    if not wanted:
        return TorchTexts()
    if command is None and not torch_is_there():
        return TorchTexts(failure="torch-absent")
    try:
        with Child(command or child_command(), progress) as child:
            child.put(do="classes", names=wanted)
            child.send()
            return _texts(child)
    except EndedError as ended:
        return TorchTexts(failure=ended.verdict.code, params=ended.verdict.params)
    except OSError as failure:
        return TorchTexts(failure="torch-broken", params={"reason": failure.strerror or str(failure)})


def ask_torch(path: Path, mapped: bool, progress: Progress, command: list[str] | None = None) -> TorchAnswer:
    """Whether torch loads a file with weights_only=True; it is never asked for anything more.

    `mapped`: the storages of a large zip stay in the file. `command`: another child, for tests. Raises CancelledError.
    """
    if command is None and not torch_is_there():
        return TorchAnswer("torch-absent")
    try:
        if not path.is_file():
            return TorchAnswer("no-file")
        memory = limit() + path.stat().st_size
        with Child(command or child_command(), progress, LOADING) as child:
            child.put(do="load", path=str(path.absolute()), mapped=mapped, memory=memory)
            child.send()
            return _answered(child.answer(), memory)
    except EndedError as ended:
        return TorchAnswer(ended.verdict.code, ended.verdict.params)
    except OSError as failure:
        return TorchAnswer("torch-broken", {"reason": failure.strerror or str(failure)})


def _answered(line: Line, memory: int) -> TorchAnswer:
    """The answer in a line of the child."""
    what, facts = line.get("answer"), {key: value for key, value in line.items() if key != "answer"}
    if what == "loaded":
        return TorchAnswer("loads", facts)
    if what == "stops":
        return TorchAnswer("loads-on-cpu" if facts.get("on_cpu") is True else "stops", facts)
    if what == "absent":
        return TorchAnswer("torch-absent")
    if what == "old":
        return TorchAnswer("torch-old", {**facts, "needed": ".".join(map(str, OLDEST))})
    if what == "memory":
        return TorchAnswer("torch-memory", {**facts, "limit": memory})
    return TorchAnswer("torch-broken", {"reason": facts.get("reason", str(what))})


def _texts(child: Child) -> TorchTexts:
    """All answers up to the last. Raises EndedError, CancelledError."""
    facts: list[Line] = []
    refused: dict[str, str] = {}
    while (answer := child.answer()).get("answer") == "class":
        if "refused" in answer:
            refused[str(answer["name"])] = str(answer["refused"])
        else:
            facts.append(answer)
    what, version = answer.get("answer"), str(answer.get("version", ""))
    if what in ("absent", "old"):
        needed = ".".join(map(str, OLDEST))
        return TorchTexts(failure=f"torch-{what}", params={"version": version, "needed": needed})
    if what != "classes":
        return TorchTexts(failure="torch-broken", params={"reason": str(answer.get("reason", what))})
    try:
        texts = {str(one["name"]): _text(one, version) for one in facts}
    except (KeyError, TypeError, ValueError) as failure:
        return TorchTexts(failure="torch-broken", params={"reason": str(failure)})
    return TorchTexts(texts, refused, params={"version": version})


def _text(line: Line, version: str) -> TorchText:
    bases = line["bases"]
    if not isinstance(bases, list):
        raise TypeError("bases is no list")
    name, text, file, signature = (str(line[key]) for key in ("name", "text", "file", "signature"))
    return TorchText(name, text, file, int(str(line["line"])), signature, tuple(map(str, bases)), version)


class EndedError(Exception):
    """The child ended, or said nothing for too long; `code` of the Verdict and its parameters."""

    def __init__(self, code: str, **params: object) -> None:
        super().__init__(code)
        self.verdict = Verdict(code, None, params)


class Child:
    """The running child; a thread reads its answers, so that waiting for one can be stopped. Killed on leaving."""

    def __init__(self, command: list[str], progress: Progress, patience: float = 0.0) -> None:
        self._progress = progress
        self._patience = patience or PATIENCE
        self._lines = bytearray()
        self._answers: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=child_environment(),
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        self._reader = threading.Thread(target=self._read, name="torch-answers", daemon=True)
        self._reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, failure: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.wait()
        self._reader.join()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                # what was not sent has no reader any more
                with contextlib.suppress(OSError):
                    pipe.close()

    def put(self, **line: object) -> None:
        """One line for the child; `send` sends it."""
        self._lines += encode_line(line)

    @property
    def waiting(self) -> int:
        """Bytes that were put and not sent."""
        return len(self._lines)

    def send(self) -> None:
        """Send what was put. A child that has ended is noticed by `answer`: it may have said why."""
        assert self._process.stdin is not None
        data, self._lines = bytes(self._lines), bytearray()
        with contextlib.suppress(OSError):
            self._process.stdin.write(data)
            self._process.stdin.flush()

    def answer(self) -> Line:
        """The next answer that is more than a sign of life. Raises EndedError, CancelledError."""
        last = time.monotonic()
        while True:
            self._progress.check()
            try:
                data = self._answers.get(timeout=LOOK)
            except queue.Empty:
                if time.monotonic() - last > self._patience:
                    raise EndedError("torch-silent", seconds=int(self._patience)) from None
                continue
            last = time.monotonic()
            line = self._parsed(data)
            if line.get("answer") != "working":
                return line

    def _parsed(self, data: bytes) -> Line:
        if not data:
            raise self._ended()
        try:
            return parse_line(data)
        except (ValueError, TypeError) as failure:
            raise EndedError("torch-broken", reason=str(failure)) from failure

    def _ended(self) -> EndedError:
        """What became of a child that says nothing more. Raises CancelledError."""
        last, code = time.monotonic(), self._process.poll()
        while code is None:
            self._progress.check()
            if time.monotonic() - last > self._patience:
                return EndedError("torch-silent", seconds=int(self._patience))
            with contextlib.suppress(subprocess.TimeoutExpired):
                code = self._process.wait(LOOK)
        return EndedError("torch-died", reason=f"signal {-code}" if code < 0 else f"exit code {code}")

    def _read(self) -> None:
        assert self._process.stdout is not None
        try:
            for data in self._process.stdout:
                self._answers.put(data)
        except (OSError, ValueError):
            pass
        self._answers.put(b"")


def questions(item: Item) -> Iterator[tuple[Line, Tensor | None]]:
    """What the child is asked of an entry, line by line, each with the tensor whose elements are compared."""
    tensor, kind = item.tensor, item.kind
    line: Line = {"name": item.name, "kind": kind, "dtype": item.dtype}
    if kind == SPARSE:
        yield {**line, "layout": tensor.layout, "shape": tensor.shape, "coalesced": tensor.coalesced}, None
    elif kind == NESTED:
        yield line, None
    else:
        line |= {"shape": tensor.shape, "stride": item.stride}
        yield line | quantizer_facts(tensor.quantizer), None if kind == META else tensor
    for role, part in item.parts:
        yield {"name": item.name, "part": role, "dtype": part.dtype, "shape": part.tensor.shape}, part.tensor


def quantizer_facts(quantizer: Quantizer | None) -> Line:
    """What is compared of a quantizer beside its scales and zero points, where these are tensors."""
    if quantizer is None:
        return {}
    if quantizer.axis is not None:
        return {"scheme": quantizer.scheme, "axis": quantizer.axis}
    return {"scheme": quantizer.scheme, "scale": quantizer.scale, "zero_point": quantizer.zero_point}


class Questions:
    """The request, line by line. The child hashes its tensor while this process hashes its own."""

    def __init__(self, child: Child, report: Report, progress: Progress) -> None:
        self._child = child
        self._report = report
        self._progress = progress
        self._done = 0
        self._nesting = Nesting(report.plan.content)

    def ask(self) -> Verdict:
        """The verdict on the whole file. Raises CancelledError, SourceError."""
        plan = self._report.plan
        try:
            named = chain((item.name for item in plan.items), plan.kept)
            entries = len({self._nesting.keys(name)[0] for name in self._progress.each(named)})
            path = str((self._report.judged or self._report.path).absolute())
            self._child.put(do="verify", path=path, count=entries, memory=limit() + self._report.nbytes)
            self._child.send()
            verdict = self._failure(self._child.answer(), "ready") or self._compare(plan.items)
            if verdict is None:
                self._child.put(do="end")
                self._child.send()
                answer = self._child.answer()
                verdict = self._failure(answer, "verified")
                verdict = verdict or Verdict(
                    "torch-verified", True, {"version": answer["version"], "count": len(plan.items)}
                )
        except EndedError as ended:
            return ended.verdict
        return verdict

    def _compare(self, items: Iterable[Item]) -> Verdict | None:
        """Tensor after tensor; None when all are the same."""
        child = self._child
        for line, tensor in self._progress.each(question for item in items for question in questions(item)):
            keys = self._nesting.keys(str(line["name"]))
            child.put(**line, **({"keys": keys} if len(keys) > 1 else {}))
            large = tensor is not None and nbytes(tensor) >= LARGE
            if large:
                child.send()
            if tensor is not None:
                child.put(sha256=self._digest(tensor))
            if large or child.waiting >= MOST_WAITING:
                verdict = self._agreed()
                if verdict is not None:
                    return verdict
        return self._agreed()

    def _agreed(self) -> Verdict | None:
        """Wait until the child has compared all up to here; None when all are the same."""
        self._child.put(do="sync")
        self._child.send()
        return self._failure(self._child.answer(), "same")

    def _digest(self, tensor: Tensor) -> str:
        digest = hashlib.sha256()
        silent = self._progress.silent()
        for numbers in blocks(tensor, silent) if per_byte(tensor) == 1 else packed_bytes(tensor, silent):
            self._progress.step(STEP, self._done, self._report.nbytes)
            digest.update(raw(numbers))
            self._done += numbers.nbytes
        return digest.hexdigest()

    def _failure(self, answer: Line, expected: str) -> Verdict | None:
        """The verdict in an answer that is not the expected one."""
        what = answer.get("answer")
        if what == expected:
            return None
        facts = {key: value for key, value in answer.items() if key != "answer"}
        if what == "absent":
            return Verdict("torch-absent", None)
        if what == "old":
            return Verdict("torch-old", None, {**facts, "needed": ".".join(map(str, OLDEST))})
        if what == "memory":
            return Verdict("torch-memory", None, {**facts, "limit": limit()})
        if what in ("differs", "refuses"):
            return Verdict(f"torch-{what}", False, facts)
        return Verdict("torch-broken", None, {"reason": facts.get("reason", str(what))})
