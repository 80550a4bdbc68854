"""One plain sentence an opcode: what it does when an unpickler meets it."""

from __future__ import annotations

from typing import Final

from viewer.wording import QT_TRANSLATE_NOOP

OPCODE_SENTENCES: Final[dict[str, str]] = {
    "ADDITEMS": QT_TRANSLATE_NOOP("wording", "Adds all values above the mark to the set under it."),
    "APPEND": QT_TRANSLATE_NOOP("wording", "Appends the top value to the list under it."),
    "APPENDS": QT_TRANSLATE_NOOP("wording", "Appends all values above the mark to the list under it."),
    "BINBYTES": QT_TRANSLATE_NOOP("wording", "Puts bytes on the stack; 4 bytes give their length."),
    "BINBYTES8": QT_TRANSLATE_NOOP("wording", "Puts bytes on the stack; 8 bytes give their length."),
    "BINFLOAT": QT_TRANSLATE_NOOP("wording", "Puts a float of 8 bytes, big-endian, on the stack."),
    "BINGET": QT_TRANSLATE_NOOP("wording", "Puts the value of a memo slot on the stack again; 1 byte names the slot."),
    "BININT": QT_TRANSLATE_NOOP("wording", "Puts a signed integer of 4 bytes on the stack."),
    "BININT1": QT_TRANSLATE_NOOP("wording", "Puts an integer of 1 byte on the stack."),
    "BININT2": QT_TRANSLATE_NOOP("wording", "Puts an integer of 2 bytes on the stack."),
    "BINPERSID": QT_TRANSLATE_NOOP("wording", "Takes an id and asks the loading program for the object that it names."),
    "BINPUT": QT_TRANSLATE_NOOP("wording", "Stores the top value in a memo slot; 1 byte names the slot."),
    "BINSTRING": QT_TRANSLATE_NOOP("wording", "Puts a Python 2 string on the stack; 4 bytes give its length."),
    "BINUNICODE": QT_TRANSLATE_NOOP("wording", "Puts a text on the stack; 4 bytes give the length of its UTF-8."),
    "BINUNICODE8": QT_TRANSLATE_NOOP("wording", "Puts a text on the stack; 8 bytes give the length of its UTF-8."),
    "BUILD": QT_TRANSLATE_NOOP("wording", "Takes a state and sets it in the object under it."),
    "BYTEARRAY8": QT_TRANSLATE_NOOP("wording", "Puts a bytearray on the stack; 8 bytes give its length."),
    "DICT": QT_TRANSLATE_NOOP("wording", "Makes a dict of all keys and values above the mark."),
    "DUP": QT_TRANSLATE_NOOP("wording", "Puts the top value on the stack once more."),
    "EMPTY_DICT": QT_TRANSLATE_NOOP("wording", "Puts a new dict on the stack."),
    "EMPTY_LIST": QT_TRANSLATE_NOOP("wording", "Puts a new list on the stack."),
    "EMPTY_SET": QT_TRANSLATE_NOOP("wording", "Puts a new set on the stack."),
    "EMPTY_TUPLE": QT_TRANSLATE_NOOP("wording", "Puts the empty tuple on the stack."),
    "EXT1": QT_TRANSLATE_NOOP(
        "wording", "Asks for the global that the loading program registered under a number of 1 byte."
    ),
    "EXT2": QT_TRANSLATE_NOOP(
        "wording", "Asks for the global that the loading program registered under a number of 2 bytes."
    ),
    "EXT4": QT_TRANSLATE_NOOP(
        "wording", "Asks for the global that the loading program registered under a number of 4 bytes."
    ),
    "FLOAT": QT_TRANSLATE_NOOP("wording", "Puts a float on the stack, written as text."),
    "FRAME": QT_TRANSLATE_NOOP(
        "wording", "Says how many of the following bytes belong together, so that they can be read at once."
    ),
    "FROZENSET": QT_TRANSLATE_NOOP("wording", "Makes a frozenset of all values above the mark."),
    "GET": QT_TRANSLATE_NOOP("wording", "Puts the value of a memo slot on the stack again; text names the slot."),
    "GLOBAL": QT_TRANSLATE_NOOP("wording", "Imports a module and puts a class or function of it on the stack."),
    "INST": QT_TRANSLATE_NOOP("wording", "Imports a class and calls it with all values above the mark."),
    "INT": QT_TRANSLATE_NOOP("wording", "Puts an integer or a truth value on the stack, written as text."),
    "LIST": QT_TRANSLATE_NOOP("wording", "Makes a list of all values above the mark."),
    "LONG": QT_TRANSLATE_NOOP("wording", "Puts an integer on the stack, written as text."),
    "LONG1": QT_TRANSLATE_NOOP("wording", "Puts an integer on the stack; 1 byte gives the number of its bytes."),
    "LONG4": QT_TRANSLATE_NOOP("wording", "Puts an integer on the stack; 4 bytes give the number of its bytes."),
    "LONG_BINGET": QT_TRANSLATE_NOOP(
        "wording", "Puts the value of a memo slot on the stack again; 4 bytes name the slot."
    ),
    "LONG_BINPUT": QT_TRANSLATE_NOOP("wording", "Stores the top value in a memo slot; 4 bytes name the slot."),
    "MARK": QT_TRANSLATE_NOOP("wording", "Puts a mark on the stack: what follows is taken together up to here."),
    "MEMOIZE": QT_TRANSLATE_NOOP("wording", "Stores the top value in the next memo slot."),
    "NEWFALSE": QT_TRANSLATE_NOOP("wording", "Puts False on the stack."),
    "NEWOBJ": QT_TRANSLATE_NOOP(
        "wording", "Takes a class and its arguments and makes an object by the class's __new__."
    ),
    "NEWOBJ_EX": QT_TRANSLATE_NOOP(
        "wording", "Takes a class, arguments and keywords and makes an object by the class's __new__."
    ),
    "NEWTRUE": QT_TRANSLATE_NOOP("wording", "Puts True on the stack."),
    "NEXT_BUFFER": QT_TRANSLATE_NOOP(
        "wording", "Puts the next buffer on the stack; buffers are kept outside the file."
    ),
    "NONE": QT_TRANSLATE_NOOP("wording", "Puts None on the stack."),
    "OBJ": QT_TRANSLATE_NOOP("wording", "Takes a class and all values above the mark and calls the class with them."),
    "PERSID": QT_TRANSLATE_NOOP("wording", "Asks the loading program for the object that a text names."),
    "POP": QT_TRANSLATE_NOOP("wording", "Drops the top value. What it did before is not undone."),
    "POP_MARK": QT_TRANSLATE_NOOP("wording", "Drops all values above the mark, and the mark."),
    "PROTO": QT_TRANSLATE_NOOP("wording", "Says which protocol the stream is written in."),
    "PUT": QT_TRANSLATE_NOOP("wording", "Stores the top value in a memo slot; text names the slot."),
    "READONLY_BUFFER": QT_TRANSLATE_NOOP("wording", "Makes the buffer on top read-only."),
    "REDUCE": QT_TRANSLATE_NOOP(
        "wording", "Takes a callable and a tuple of arguments, asks for a call, and puts the result back."
    ),
    "SETITEM": QT_TRANSLATE_NOOP("wording", "Sets one key and its value in the dict under them."),
    "SETITEMS": QT_TRANSLATE_NOOP("wording", "Sets all keys and values above the mark in the dict under it."),
    "SHORT_BINBYTES": QT_TRANSLATE_NOOP("wording", "Puts bytes on the stack; 1 byte gives their length."),
    "SHORT_BINSTRING": QT_TRANSLATE_NOOP("wording", "Puts a Python 2 string on the stack; 1 byte gives its length."),
    "SHORT_BINUNICODE": QT_TRANSLATE_NOOP("wording", "Puts a text on the stack; 1 byte gives the length of its UTF-8."),
    "STACK_GLOBAL": QT_TRANSLATE_NOOP(
        "wording", "Takes a module name and a name, imports the module and puts a class or function of it on the stack."
    ),
    "STOP": QT_TRANSLATE_NOOP("wording", "Ends the stream; the top value is the result."),
    "STRING": QT_TRANSLATE_NOOP("wording", "Puts a Python 2 string on the stack, written in quotes."),
    "TUPLE": QT_TRANSLATE_NOOP("wording", "Makes a tuple of all values above the mark."),
    "TUPLE1": QT_TRANSLATE_NOOP("wording", "Makes a tuple of the top value."),
    "TUPLE2": QT_TRANSLATE_NOOP("wording", "Makes a tuple of the two top values."),
    "TUPLE3": QT_TRANSLATE_NOOP("wording", "Makes a tuple of the three top values."),
    "UNICODE": QT_TRANSLATE_NOOP("wording", "Puts a text on the stack, written with escapes."),
}
