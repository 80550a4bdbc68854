"""Run by warm.py as `python -I warm_server.py`: forks a process for each line of JSON on standard input."""

import atexit
import io
import json
import os
import runpy
import sys
import tempfile

import numpy as np
import torch

KNOWN = (np, torch)


def failed(ended, fault):
    """Print the traceback as Python does."""
    ended[0] = 1
    sys.__excepthook__(*fault)


def leave(ended):
    """End at once."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(ended[0])


def child(request, files):
    """Become the script: the files are its standard input, output and error. Ends as any Python program does."""
    for number, file in enumerate(files):
        os.dup2(file.fileno(), number)
    sys.stdin = io.TextIOWrapper(io.FileIO(0, closefd=False), "utf-8")
    sys.stdout = io.TextIOWrapper(io.FileIO(1, "w", closefd=False), "utf-8", write_through=True)
    sys.stderr = io.TextIOWrapper(io.FileIO(2, "w", closefd=False), "utf-8", write_through=True)
    os.chdir(request["cwd"])
    sys.argv = [request["script"], *request["arguments"]]
    ended = [0]
    # Taking torch down costs more than all the rest; what the script itself left to do at its end runs before this.
    atexit.register(leave, ended)
    sys.excepthook = lambda *fault: failed(ended, fault)
    try:
        runpy.run_path(request["script"], run_name="__main__")
    except SystemExit as end:
        ended[0] = end.code if isinstance(end.code, int) else int(end.code is not None)
        raise
    sys.exit()


def main():
    """One process after another."""
    for line in sys.stdin:
        request = json.loads(line)
        with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            given.write(request["given"].encode())
            given.seek(0)
            number = os.fork()
            if number == 0:
                child(request, (given, out, err))
            code = os.waitstatus_to_exitcode(os.waitpid(number, 0)[1])
            told = []
            for file in (out, err):
                file.seek(0)
                told.append(file.read().decode("utf-8", "replace"))
        print(json.dumps({"code": code, "out": told[0], "err": told[1]}), flush=True)


if __name__ == "__main__":
    main()
