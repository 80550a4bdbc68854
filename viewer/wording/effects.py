"""What one opcode does at its place, with the operands that it has there: whole sentences with parameters.

Keys that end in `.none`, `.one` and `.many` are the same said of no, one and several things.
"""

from __future__ import annotations

from typing import Final

from viewer.wording import QT_TRANSLATE_NOOP

EFFECTS: Final[dict[str, str]] = {
    "add.many": QT_TRANSLATE_NOOP("wording", "Adds {count} items to the {type} from {at:x}."),
    "add.none": QT_TRANSLATE_NOOP("wording", "Adds nothing to the {type} from {at:x}."),
    "add.one": QT_TRANSLATE_NOOP("wording", "Adds {value} to the {type} from {at:x}."),
    "append": QT_TRANSLATE_NOOP("wording", "Appends {value} to the {type} from {at:x}."),
    "break": QT_TRANSLATE_NOOP("wording", "The stream breaks here. The stack and the memo are shown as they stood."),
    "buffer": QT_TRANSLATE_NOOP(
        "wording", "Puts the next out-of-band buffer on the stack. Its bytes do not stand in the file."
    ),
    "build": QT_TRANSLATE_NOOP("wording", "Sets the state {value} in the {type} from {at:x}."),
    "bytearray.many": QT_TRANSLATE_NOOP("wording", "Puts a bytearray of {count} bytes on the stack: {value}."),
    "bytearray.none": QT_TRANSLATE_NOOP("wording", "Puts an empty bytearray on the stack."),
    "bytearray.one": QT_TRANSLATE_NOOP("wording", "Puts a bytearray of 1 byte on the stack: {value}."),
    "bytes.many": QT_TRANSLATE_NOOP("wording", "Puts {count} bytes on the stack: {value}."),
    "bytes.none": QT_TRANSLATE_NOOP("wording", "Puts empty bytes on the stack."),
    "bytes.one": QT_TRANSLATE_NOOP("wording", "Puts 1 byte on the stack: {value}."),
    "call-given": QT_TRANSLATE_NOOP("wording", "Calls {name} with the arguments that {value} gives."),
    "call-recorded": QT_TRANSLATE_NOOP("wording", "The call is recorded here and not made."),
    "call-bare": QT_TRANSLATE_NOOP(
        "wording", "Calls {name} without arguments; of a class without __getinitargs__ only its __new__."
    ),
    "call.many": QT_TRANSLATE_NOOP("wording", "Calls {name} with {count} arguments: {value}."),
    "call.none": QT_TRANSLATE_NOOP("wording", "Calls {name} without arguments."),
    "call.one": QT_TRANSLATE_NOOP("wording", "Calls {name} with 1 argument: {value}."),
    "changes-global": QT_TRANSLATE_NOOP(
        "wording", "This changes {name} itself, which belongs to the loading program and not to the file."
    ),
    "constant": QT_TRANSLATE_NOOP("wording", "Puts {value} on the stack."),
    "dict.many": QT_TRANSLATE_NOOP("wording", "Makes a dict of {count} entries."),
    "dict.none": QT_TRANSLATE_NOOP("wording", "Makes an empty dict."),
    "dict.one": QT_TRANSLATE_NOOP("wording", "Makes a dict of 1 entry."),
    "drop.many": QT_TRANSLATE_NOOP("wording", "Drops {count} values and the mark from {at:x}."),
    "drop.none": QT_TRANSLATE_NOOP("wording", "Drops the mark from {at:x}."),
    "drop.one": QT_TRANSLATE_NOOP("wording", "Drops {value} and the mark from {at:x}."),
    "dup": QT_TRANSLATE_NOOP("wording", "Puts {value} on the stack a second time."),
    "empty-dict": QT_TRANSLATE_NOOP("wording", "Puts a new dict on the stack, with no entries yet."),
    "empty-list": QT_TRANSLATE_NOOP("wording", "Puts a new list on the stack, with no items yet."),
    "empty-set": QT_TRANSLATE_NOOP("wording", "Puts a new set on the stack, with no items yet."),
    "empty-tuple": QT_TRANSLATE_NOOP("wording", "Puts the empty tuple on the stack."),
    "extension": QT_TRANSLATE_NOOP(
        "wording",
        "Puts the global on the stack that the loading program has registered under the number {number}. "
        "Its name does not stand in the file.",
    ),
    "frame": QT_TRANSLATE_NOOP("wording", "Opens a frame of {count} bytes, which ends at {end:x}."),
    "frozenset.many": QT_TRANSLATE_NOOP("wording", "Makes a frozenset of {count} values: {value}."),
    "frozenset.none": QT_TRANSLATE_NOOP("wording", "Makes an empty frozenset."),
    "frozenset.one": QT_TRANSLATE_NOOP("wording", "Makes a frozenset of 1 value: {value}."),
    "get": QT_TRANSLATE_NOOP(
        "wording", "Puts {value} on the stack, from slot {slot} of the memo, where it was stored at {at:x}."
    ),
    "global": QT_TRANSLATE_NOOP("wording", "Puts {name} on the stack, which the loading program imports."),
    "global-computed": QT_TRANSLATE_NOOP(
        "wording",
        "Puts a global on the stack whose name is computed: module {module}, name {name}. "
        "Which one it is shows only when the file is loaded.",
    ),
    "holds.many": QT_TRANSLATE_NOOP("wording", "It holds {count} items then."),
    "holds.one": QT_TRANSLATE_NOOP("wording", "It holds 1 item then."),
    "keywords.many": QT_TRANSLATE_NOOP("wording", "It is given {count} keyword arguments too: {value}."),
    "keywords.one": QT_TRANSLATE_NOOP("wording", "It is given 1 keyword argument too: {value}."),
    "list.many": QT_TRANSLATE_NOOP("wording", "Makes a list of {count} values: {value}."),
    "list.none": QT_TRANSLATE_NOOP("wording", "Makes an empty list."),
    "list.one": QT_TRANSLATE_NOOP("wording", "Makes a list of 1 value: {value}."),
    "mark": QT_TRANSLATE_NOOP("wording", "Puts a mark on the stack. {name} at {at:x} takes what is put above it."),
    "mark-open": QT_TRANSLATE_NOOP("wording", "Puts a mark on the stack. No opcode takes it."),
    "new.many": QT_TRANSLATE_NOOP(
        "wording", "Makes an object by the __new__ of {name}, with {count} arguments: {value}."
    ),
    "new.none": QT_TRANSLATE_NOOP("wording", "Makes an object by the __new__ of {name}, without arguments."),
    "new.one": QT_TRANSLATE_NOOP("wording", "Makes an object by the __new__ of {name}, with 1 argument: {value}."),
    "number": QT_TRANSLATE_NOOP("wording", "Puts the number {value} on the stack."),
    "persistent": QT_TRANSLATE_NOOP("wording", "Asks the loading program for the object with the id {value}."),
    "pop": QT_TRANSLATE_NOOP("wording", "Drops {value} from the stack."),
    "pop-call": QT_TRANSLATE_NOOP("wording", "Drops what the call of {name} gives. The call itself is not undone."),
    "protocol": QT_TRANSLATE_NOOP("wording", "Says that the stream is written in protocol {number}."),
    "put": QT_TRANSLATE_NOOP("wording", "Stores {value} in slot {slot} of the memo."),
    "put-again": QT_TRANSLATE_NOOP("wording", "Stores {value} in slot {slot} of the memo, in place of {old}."),
    "read.many": QT_TRANSLATE_NOOP("wording", "It is read back {count} times, first at {at:x}."),
    "read.none": QT_TRANSLATE_NOOP("wording", "Nothing reads it back."),
    "read.one": QT_TRANSLATE_NOOP("wording", "It is read back once, at {at:x}."),
    "readonly": QT_TRANSLATE_NOOP("wording", "Makes {value} read-only."),
    "set.many": QT_TRANSLATE_NOOP("wording", "Sets {count} entries in the {type} from {at:x}."),
    "set.none": QT_TRANSLATE_NOOP("wording", "Sets nothing in the {type} from {at:x}."),
    "set.one": QT_TRANSLATE_NOOP("wording", "Sets {key} to {value} in the {type} from {at:x}."),
    "stop": QT_TRANSLATE_NOOP("wording", "Ends the stream. Its result is {value}."),
    "stop-left.many": QT_TRANSLATE_NOOP("wording", "{count} more values are left on the stack and are lost."),
    "stop-left.one": QT_TRANSLATE_NOOP("wording", "1 more value is left on the stack and is lost."),
    "string": QT_TRANSLATE_NOOP("wording", "Puts the Python 2 string {value} on the stack."),
    "text": QT_TRANSLATE_NOOP("wording", "Puts the text {value} on the stack."),
    "tuple.many": QT_TRANSLATE_NOOP("wording", "Makes a tuple of {count} values: {value}."),
    "tuple.none": QT_TRANSLATE_NOOP("wording", "Makes an empty tuple."),
    "tuple.one": QT_TRANSLATE_NOOP("wording", "Makes a tuple of 1 value: {value}."),
}
