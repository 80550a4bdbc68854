"""A desktop's portal and who asks it, in one process: prints what was told, one JSON list.

`dbus-run-session -- python -m tests.ui.portal_child KEYS CHANGES`, both as JSON: what the portal knows at the start
({key: value}), and what changes one after the other ([[namespace, key, value], ...]).
"""

from __future__ import annotations

import json
import sys

from PySide6.QtCore import QCoreApplication, QObject, Slot
from PySide6.QtDBus import QDBusConnection, QDBusMessage, QDBusVariant, QDBusVirtualObject

from viewer.ui.portal_motion import CHANGED, PORTAL
from viewer.ui.system_motion import SystemMotion

SERVICE, PATH, INTERFACE = PORTAL
END = "end"


class Portal(QDBusVirtualObject):
    """Answers `Read` out of a table, else with an error, as the portal does for keys that it does not know."""

    def __init__(self, known: dict[str, object]) -> None:
        super().__init__()
        self.known = known

    def introspect(self, path: str) -> str:
        return ""

    def handleMessage(self, message: QDBusMessage, connection: QDBusConnection) -> bool:  # noqa: N802
        _, key = message.arguments()
        if key in self.known:
            reply = message.createReply()
            reply.setArguments([QDBusVariant(QDBusVariant(self.known[key]))])
        else:
            reply = message.createErrorReply("org.freedesktop.portal.Error.NotFound", "no such setting")
        return connection.send(reply)


class Listener(QObject):
    """Ends the program at the last change, of which the other one has heard by then: the bus keeps the order."""

    def listen(self) -> None:
        QDBusConnection.sessionBus().connect(*PORTAL, "SettingChanged", self, CHANGED)

    @Slot(str, str, QDBusVariant)
    def changed(self, namespace: str, key: str, value: QDBusVariant) -> None:
        if namespace == END:
            QCoreApplication.quit()


def main() -> None:
    known, changes = json.loads(sys.argv[1]), json.loads(sys.argv[2])
    app = QCoreApplication([])
    bus = QDBusConnection.connectToBus(QDBusConnection.BusType.SessionBus, "portal")
    portal = Portal(known)
    bus.registerVirtualObject(PATH, portal)
    bus.registerService(SERVICE)
    told: list[bool] = []
    motion = SystemMotion(app)
    listener = Listener(app)

    def change() -> None:
        for namespace, key, value in [*changes, [END, END, True]]:
            signal = QDBusMessage.createSignal(PATH, INTERFACE, "SettingChanged")
            signal.setArguments([namespace, key, QDBusVariant(value)])
            bus.send(signal)

    def heard(reduced: bool) -> None:
        told.append(reduced)
        if len(told) == 1:
            listener.listen()
            change()

    motion.told.connect(heard)
    motion.ask()
    app.exec()
    print(json.dumps(told))


if __name__ == "__main__":
    main()
