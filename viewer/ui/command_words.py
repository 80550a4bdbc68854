"""Other words for commands: what a person types in the palette who knows a command by another program's name.

None is shown; a translator writes what people of that language would type. Each entry is a list, divided by commas.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QCoreApplication

from viewer.wording import QT_TRANSLATE_NOOP

WORDS: Final = {
    "file.open": QT_TRANSLATE_NOOP("commands", "load, import, view, browse"),
    "file.open_folder": QT_TRANSLATE_NOOP("commands", "shards, several files, directory, index"),
    "file.close": QT_TRANSLATE_NOOP("commands", "exit file"),
    "file.reload": QT_TRANSLATE_NOOP("commands", "reload, refresh, reopen, revert"),
    "file.export_state_dict": QT_TRANSLATE_NOOP("commands", "save weights, convert, extract, pth, checkpoint, half"),
    "file.export_npz": QT_TRANSLATE_NOOP("commands", "save weights, convert, extract, numpy, arrays"),
    "file.export_safetensors": QT_TRANSLATE_NOOP("commands", "save weights, convert, extract, Hugging Face, shards"),
    "file.export_source": QT_TRANSLATE_NOOP("commands", "code, classes, Python, extract, py"),
    "file.export_recovery": QT_TRANSLATE_NOOP("commands", "lost code, rebuild model, load model, restore"),
    "file.export_imports": QT_TRANSLATE_NOOP("commands", "security, safety, malware, audit, globals"),
    "file.export_listing": QT_TRANSLATE_NOOP("commands", "disassemble, decompile, dump"),
    "file.rescue": QT_TRANSLATE_NOOP("commands", "repair, fix, recover, salvage, damaged, corrupt, broken, truncated"),
    "file.show_folder": QT_TRANSLATE_NOOP("commands", "reveal, file manager, explorer, finder"),
    "file.pin": QT_TRANSLATE_NOOP("commands", "favourite, star"),
    "file.forget": QT_TRANSLATE_NOOP("commands", "history, privacy, clear, delete, remove"),
    "file.forget_all": QT_TRANSLATE_NOOP("commands", "history, privacy, clear recent, delete, remove"),
    "file.quit": QT_TRANSLATE_NOOP("commands", "exit, leave"),
    "edit.bookmark": QT_TRANSLATE_NOOP("commands", "note, comment, annotate, mark"),
    "edit.byte_facts": QT_TRANSLATE_NOOP("commands", "hash, md5, sha, crc, entropy, histogram of bytes"),
    "edit.save_bytes": QT_TRANSLATE_NOOP("commands", "dump, extract, cut out, export bytes"),
    "edit.find": QT_TRANSLATE_NOOP("commands", "search, regex, pattern"),
    "edit.strings": QT_TRANSLATE_NOOP("commands", "ascii, unicode, texts"),
    "edit.search": QT_TRANSLATE_NOOP("commands", "find anywhere, global search, grep"),
    "edit.preferences": QT_TRANSLATE_NOOP(
        "commands",
        "settings, options, configuration, font, colours, colors, colour blind, color blind, memory limit, reset",
    ),
    "view.layout.reset": QT_TRANSLATE_NOOP("commands", "restore panes, default layout, arrange"),
    "view.text_larger": QT_TRANSLATE_NOOP("commands", "zoom in, font size, bigger"),
    "view.text_smaller": QT_TRANSLATE_NOOP("commands", "zoom out, font size"),
    "view.text_normal": QT_TRANSLATE_NOOP("commands", "zoom reset, font size"),
    "view.theme.system": QT_TRANSLATE_NOOP("commands", "mode, appearance, colours"),
    "view.theme.light": QT_TRANSLATE_NOOP("commands", "light mode, appearance, bright"),
    "view.theme.dark": QT_TRANSLATE_NOOP("commands", "dark mode, appearance, night"),
    "view.full_screen": QT_TRANSLATE_NOOP("commands", "fullscreen, maximise, presentation"),
    "view.byte_look": QT_TRANSLATE_NOOP("commands", "row width, groups, encoding, decimal offsets, number format"),
    "view.columns": QT_TRANSLATE_NOOP("commands", "hide column, show column, table"),
    "go.back": QT_TRANSLATE_NOOP("commands", "history, undo, return"),
    "go.offset": QT_TRANSLATE_NOOP("commands", "jump, address, position, line"),
    "go.owner": QT_TRANSLATE_NOOP("commands", "what is this byte, whose"),
    "go.next_problem": QT_TRANSLATE_NOOP("commands", "error, warning, damage"),
    "go.next_difference": QT_TRANSLATE_NOOP("commands", "change"),
    "go.class_source": QT_TRANSLATE_NOOP("commands", "definition, code"),
    "go.memo_put": QT_TRANSLATE_NOOP("commands", "memo"),
    "go.memo_get": QT_TRANSLATE_NOOP("commands", "memo"),
    "go.uses": QT_TRANSLATE_NOOP("commands", "references"),
    "tensor.show_values": QT_TRANSLATE_NOOP("commands", "grid, table, numbers, elements"),
    "tensor.show_histogram": QT_TRANSLATE_NOOP("commands", "distribution, plot, chart"),
    "tensor.show_heat_map": QT_TRANSLATE_NOOP("commands", "plot, matrix"),
    "tensor.show_image": QT_TRANSLATE_NOOP("commands", "picture, filters, kernels"),
    "tensor.export": QT_TRANSLATE_NOOP("commands", "save as npy, csv, array"),
    "tools.compare": QT_TRANSLATE_NOOP("commands", "diff, difference, versus"),
    "tools.compare_bytes": QT_TRANSLATE_NOOP("commands", "diff, hex"),
    "tools.ask_torch": QT_TRANSLATE_NOOP("commands", "torch.load, verify, try to load, weights_only"),
    "tools.copy_code": QT_TRANSLATE_NOOP("commands", "torch.load, device, cuda, map_location, weights_only, snippet"),
    "tools.copy_imports": QT_TRANSLATE_NOOP("commands", "security, safety, malware, audit, issue"),
    "tools.unpack_more": QT_TRANSLATE_NOOP("commands", "extract, unzip, decompress"),
    "tools.stop": QT_TRANSLATE_NOOP("commands", "cancel, abort"),
    "help.here": QT_TRANSLATE_NOOP("commands", "manual, documentation"),
    "help.tour": QT_TRANSLATE_NOOP("commands", "tutorial, guide, introduction, start"),
    "help.shortcuts": QT_TRANSLATE_NOOP("commands", "keys, hotkeys, key bindings"),
    "help.panes": QT_TRANSLATE_NOOP("commands", "manual, documentation, guide"),
    "help.problems": QT_TRANSLATE_NOOP("commands", "errors, warnings, messages, codes"),
    "help.opcodes": QT_TRANSLATE_NOOP("commands", "pickletools, reference, instructions"),
    "help.about": QT_TRANSLATE_NOOP("commands", "version, license"),
    "pane.contents": QT_TRANSLATE_NOOP("commands", "tree, structure, objects, outline, sidebar"),
    "pane.opcodes": QT_TRANSLATE_NOOP("commands", "disassembly, instructions, pickletools"),
    "pane.effect": QT_TRANSLATE_NOOP("commands", "stack, memo"),
    "pane.hex": QT_TRANSLATE_NOOP("commands", "hexadecimal, hex editor, binary"),
    "pane.inspector": QT_TRANSLATE_NOOP("commands", "data types, integer, float, endianness"),
    "pane.summary": QT_TRANSLATE_NOOP("commands", "overview, facts, metadata, parameters, device, torch.load"),
    "pane.source": QT_TRANSLATE_NOOP("commands", "code, classes, Python"),
    "pane.compare": QT_TRANSLATE_NOOP("commands", "diff, difference"),
    "pane.tensor": QT_TRANSLATE_NOOP("commands", "values, statistics, histogram, heat map, picture"),
    "pane.problems": QT_TRANSLATE_NOOP("commands", "errors, warnings, damage, corrupt, check"),
    "pane.imports": QT_TRANSLATE_NOOP("commands", "security, safety, safe, malware, virus, globals, scan, dangerous"),
    "pane.tensors": QT_TRANSLATE_NOOP("commands", "weights, parameters, layers, health, NaN, infinite, state_dict"),
    "pane.space": QT_TRANSLATE_NOOP("commands", "size, big, large, treemap, disk usage, waste"),
    "pane.values": QT_TRANSLATE_NOOP("commands", "hyperparameters, optimizer, epoch, learning rate, config"),
    "pane.search": QT_TRANSLATE_NOOP("commands", "hits, found"),
    "pane.bookmarks": QT_TRANSLATE_NOOP("commands", "notes, comments"),
}
"""By the id of the action."""

MENU_WORDS: Final = {
    "file.open": QT_TRANSLATE_NOOP("commands", "history, last files"),
    "view.byte_look": QT_TRANSLATE_NOOP("commands", "dtype, number type, float, integer"),
    "view.full_screen": QT_TRANSLATE_NOOP("commands", "translation, Chinese, Japanese, Persian, Farsi, locale"),
    "tools.palette": QT_TRANSLATE_NOOP("commands", "endian, endianness, swap"),
    "tools.compare": QT_TRANSLATE_NOOP("commands", "diff, difference"),
    "tools.unpack_more": QT_TRANSLATE_NOOP("commands", "encoding, charset, latin1, UnicodeDecodeError"),
    "window.previous_tab": QT_TRANSLATE_NOOP("commands", "tabs, switch"),
    "help.shortcuts": QT_TRANSLATE_NOOP("commands", "examples, demo, try"),
}
"""For each line of a submenu that is filled when it opens, by the id of the action that the submenu follows."""


def also(english: str) -> str:
    """The words in English and, where the window speaks another language, in that one: people type either."""
    said = QCoreApplication.translate("commands", english) if english else ""
    return english if said == english else f"{said}, {english}"
