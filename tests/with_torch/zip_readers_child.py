"""Run by test_zip_readers.py: what torch and Python's zipfile read of one record in each archive of a folder, as JSON.

Arguments: the folder, the name of the record below the archive's root.
"""

from __future__ import annotations

import json
import sys
import zipfile
from pathlib import Path

import torch


def by_torch(path: Path, name: str) -> str | None:
    try:
        content: bytes = torch._C.PyTorchFileReader(str(path)).get_record(name)
    except RuntimeError:
        return None
    return content.decode()


def by_python(path: Path, name: str) -> str | None:
    try:
        with zipfile.ZipFile(path) as archive:
            return archive.read(f"a/{name}").decode()
    except (KeyError, zipfile.BadZipFile):
        return None


def main(folder: str, name: str) -> None:
    found = {path.name: [by_torch(path, name), by_python(path, name)] for path in Path(folder).iterdir()}
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
