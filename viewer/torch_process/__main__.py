"""The torch child: reads a request on stdin, answers on stdout, ends. `python -m viewer.torch_process`."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import IO, Final

from viewer.torch_process.protocol import OLDEST, Line, parse_line, write_line

if sys.platform != "win32":
    import resource

Answer = Callable[..., None]
REASON_LENGTH: Final = 300


def serve(requests: IO[bytes], answers: IO[bytes]) -> None:
    """One request from start to end."""

    def answer(what: str, **facts: object) -> None:
        write_line(answers, {"answer": what, **facts})

    request = parse_line(requests.readline())
    if request.get("do") not in ("verify", "classes", "load"):
        answer("broken", reason="an unknown request")
        return
    version = torch_version(answer)
    if version is None:
        return
    if request["do"] == "classes":
        classes(request, answer, version)
    elif request["do"] == "load":
        load_file(request, answer, version)
    else:
        verify(request, requests, answer, version)


def torch_version(answer: Answer) -> str | None:
    """The version; None (and an answer) where it is absent, broken or too old."""
    try:
        import torch
    except ImportError as failure:
        if failure.name == "torch":
            answer("absent")
        else:
            answer("broken", reason=short(failure))
        return None
    except Exception as failure:  # noqa: BLE001 (whatever a broken installation raises is its answer)
        answer("broken", reason=short(failure))
        return None
    version = str(torch.__version__)
    if numbers(version) < OLDEST:
        answer("old", version=version)
        return None
    return version


def numbers(version: str) -> tuple[int, ...]:
    """The first two numbers of a version; letters count as nothing."""
    return tuple(int("".join(filter(str.isdigit, part)) or 0) for part in version.split(".")[:2])


def verify(request: Line, requests: IO[bytes], answer: Answer, version: str) -> None:
    """Load the file, then compare tensor after tensor as they are asked for."""
    from viewer.torch_process.verify import DiffersError, compare, digest, load

    limit_growth(int(str(request["memory"])))
    try:
        loaded = load(str(request["path"]), int(str(request["count"])))
        answer("ready", version=version)
        while (wanted := parse_line(requests.readline())).get("do") != "end":
            if wanted.get("do") == "sync":
                answer("same")
                continue
            found = compare(loaded, wanted)
            if found is None:
                continue
            sha256 = digest(found, lambda: answer("working"))
            if parse_line(requests.readline())["sha256"] != sha256:
                role = f" in {wanted['part']}" if "part" in wanted else ""
                raise DiffersError(f"the elements of {wanted['name']} differ{role}")
    except DiffersError as failure:
        answer("differs", version=version, reason=short(failure))
    except MemoryError:
        answer("memory", version=version)
    except BrokenPipeError:
        raise
    except Exception as failure:  # noqa: BLE001 (whatever torch raises for the file is the answer)
        if "memory" in str(failure) and "allocate" in str(failure):
            answer("memory", version=version)
        else:
            answer("refuses", version=version, reason=short(failure))
    else:
        answer("verified", version=version)


def classes(request: Line, answer: Answer, version: str) -> None:
    """The texts of torch's own classes, one line each."""
    from viewer.torch_process.torch_classes import describe

    names = request["names"]
    if not isinstance(names, list):
        raise TypeError("names is no list")
    for facts in describe([str(name) for name in names]):
        answer("class", **facts)
    answer("classes", version=version)


def load_file(request: Line, answer: Answer, version: str) -> None:
    """Whether torch takes a file."""
    from viewer.torch_process.loading import asked

    limit_growth(int(str(request["memory"])))
    try:
        facts = asked(str(request["path"]), request["mapped"] is True)
    except MemoryError:
        answer("memory", version=version)
        return
    answer("stops" if facts else "loaded", version=version, **facts)


def limit_growth(allowed: int) -> None:
    """Let this process take so many bytes of address space more than it has now, where the system can say that."""
    if sys.platform == "win32":
        return
    try:
        with open("/proc/self/statm", "rb") as facts:
            present = int(facts.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
        resource.setrlimit(resource.RLIMIT_AS, (present + allowed, resource.RLIM_INFINITY))
    except (OSError, ValueError):
        return


def short(failure: Exception) -> str:
    """The first line of what was raised, cut to a sentence's length."""
    line = (str(failure).strip().splitlines() or [type(failure).__name__])[0]
    return line[:REASON_LENGTH].rstrip(". ")


def main() -> int:
    """Keep stdout for answers: what torch prints goes to stderr."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    try:
        serve(sys.stdin.buffer, answers)
    except (OSError, ValueError, TypeError, KeyError):
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
