"""One running program: takes what second starts give it (viewer/handing_over.py), shows it and comes to the front."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeGuard

from PySide6.QtCore import QLockFile, QObject, QTimer, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from viewer.handing_over import TAKEN, VERSION

LONGEST: Final = 4 << 20
CONNECT_MS: Final = 500
READ_MS: Final = 10_000
LOCK_MS: Final = 2000


@dataclass(frozen=True, slots=True)
class Handed:
    """What a second start was asked for: targets as absolute paths, and the desktop's leave to come to the front."""

    targets: tuple[str, ...]
    token: str = ""


class Handover(QObject):
    """Takes what second starts are asked for.

    handed: another start gave its files.
        Signal(handed: Handed)
    """

    handed = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._readers: set[_Reader] = set()
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._greet)

    def begin(self, name: str) -> bool:
        """Listen; takes the place of a program that died. False where another one listens, or none can."""
        with _Locked(name) as locked:
            if not locked or _reachable(name):
                return False
            QLocalServer.removeServer(name)
            return self._server.listen(name)

    def close(self) -> None:
        """Listen no more; starts that have not said what they want open windows of their own."""
        self._server.close()
        for reader in tuple(self._readers):
            reader.let_go()

    def _greet(self) -> None:
        while (socket := self._server.nextPendingConnection()) is not None:
            reader = _Reader(socket, self)
            # PySide forgets a socket that no name of Python's holds, and then its signals.
            self._readers.add(reader)
            reader.start()

    def done(self, reader: _Reader) -> None:
        """A start has gone."""
        self._readers.discard(reader)


class _Reader(QObject):
    """Reads one message. A start that says nothing, or too much, is let go."""

    def __init__(self, socket: QLocalSocket, owner: Handover) -> None:
        super().__init__(owner)
        self._socket = socket
        self._owner = owner
        self._patience = QTimer(self, singleShot=True, interval=READ_MS)
        self._patience.timeout.connect(self.let_go)
        self._ended = False

    def start(self) -> None:
        """Read what is there, and what comes."""
        self._patience.start()
        self._socket.readyRead.connect(self._read)
        self._socket.disconnected.connect(self._gone)
        self._read()
        if self._socket.state() is QLocalSocket.LocalSocketState.UnconnectedState:
            self._gone()

    def let_go(self) -> None:
        """Wait for no more of it."""
        self._socket.abort()
        self._gone()

    def _gone(self) -> None:
        if self._ended:
            return
        self._ended = True
        self._patience.stop()
        self._socket.deleteLater()
        self._owner.done(self)
        self.deleteLater()

    def _read(self) -> None:
        if not self._socket.canReadLine():
            if self._socket.bytesAvailable() > LONGEST:
                self._socket.abort()
            return
        self._patience.stop()
        handed = _understood(bytes(self._socket.readLine().data()))
        if handed is not None:
            self._socket.write(TAKEN)
            self._socket.flush()
            self._owner.handed.emit(handed)
        self._socket.disconnectFromServer()


class _Locked:
    """One start at a time decides who listens: two at once would take each other's place."""

    def __init__(self, name: str) -> None:
        self._lock = QLockFile(_lock_path(name))

    def __enter__(self) -> bool:
        return self._lock.tryLock(LOCK_MS)

    def __exit__(self, *_: object) -> None:
        self._lock.unlock()


def _lock_path(name: str) -> str:
    return f"{Path(tempfile.gettempdir()) / name}.lock" if sys.platform == "win32" else f"{name}.lock"


def _reachable(name: str) -> bool:
    socket = QLocalSocket()
    socket.connectToServer(name)
    found = socket.waitForConnected(CONNECT_MS)
    socket.abort()
    return found


def _understood(line: bytes) -> Handed | None:
    """The message; None for one of another version or none at all."""
    try:
        said: Any = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(said, dict) or said.get("version") != VERSION:
        return None
    targets, token = said.get("targets"), said.get("token")
    if not isinstance(targets, list) or not all(map(_is_usable, targets)):
        return None
    return Handed(tuple(targets), token if _is_usable(token) else "")


def _is_usable(text: object) -> TypeGuard[str]:
    """True for a text that can be a path or stand in the environment: neither takes every string of JSON."""
    try:
        return isinstance(text, str) and b"\0" not in os.fsencode(text)
    except UnicodeEncodeError:
        return False
