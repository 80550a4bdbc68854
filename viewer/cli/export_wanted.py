"""What `picklescope export` is asked for: the branch, names and options of the command line as one `Wanted`."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, Final

from viewer.cli.base import some_bytes
from viewer.core.code.supplied import read_supplied
from viewer.core.errors import ExportError
from viewer.core.export import EXPORTERS, FOLDER_FORM, exporter_for, exporter_of
from viewer.core.export.base import Exporter
from viewer.core.export.options import Kind, Option
from viewer.core.export.selection import Wanted
from viewer.core.objects.renaming import EXPRESSION, NameRules

SAFETENSORS, SHARDS = "safetensors", "safetensors_shards"
TENSORS: Final = "tensors"
OPTIONS: Final = tuple(dict.fromkeys(option for exporter in EXPORTERS for option in exporter.options))


def add_wanted_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what is exported, under which names, and the options of all forms."""
    parser.add_argument(
        "--root",
        default="",
        metavar="NODE",
        help="the branch, as model_state_dict or models/a; / for the whole object with what is no tensor",
    )
    for flag, words in (("--only", "names to take, as 'encoder.*'"), ("--skip", "names to leave out")):
        parser.add_argument(flag, action="append", default=[], metavar="GLOB", help=words)
    add_name_arguments(
        parser, "a name or its beginning; with * a pattern for whole names; re:EXPRESSION=NEW with groups as \\1"
    )
    parser.add_argument("--prefix", default="", help="beginning to put before all names")
    parser.add_argument("--source", action="append", default=[], metavar="PY", help="its classes are taken (recovery)")
    for option in OPTIONS:
        add_option(parser, option)


def add_name_arguments(parser: argparse.ArgumentParser, rename: str) -> None:
    """Declare how names change. `rename`: what the help says of --rename."""
    parser.add_argument(
        "--strip", action="append", default=[], metavar="PREFIX", help="beginning to take off names, as module"
    )
    parser.add_argument("--rename", action="append", default=[], type=pair, metavar="OLD=NEW", help=rename)


def add_option(parser: argparse.ArgumentParser, option: Option) -> None:
    """The flag of one option; what is not given is None."""
    facts: dict[str, Any] = {"dest": option.key, "help": option.help, "default": None}
    if option.kind is Kind.SWITCH:
        facts |= {"action": "store_true"}
    elif option.kind is Kind.CHOICE:
        facts |= {"choices": [choice for choice in option.choices if choice]}
    else:
        facts |= {"type": some_bytes, "metavar": "BYTES"}
    parser.add_argument(option.flag, **facts)


def pair(text: str) -> tuple[str, str]:
    """The two sides of a rule. Raises ArgumentTypeError."""
    old, sign, new = text.rpartition("=") if text.startswith(EXPRESSION) else text.partition("=")
    if not sign or not old:
        raise argparse.ArgumentTypeError(f"{text!r} is no rule such as OLD=NEW")
    return old, new


def asked_for(arguments: argparse.Namespace) -> Exporter:
    """The form that is asked for by name or by the target; in shards where their size is given. Raises ExportError."""
    exporter = exporter_of(arguments.form) if arguments.form else exporter_for(arguments.target)
    if arguments.shard_size is None:
        return exporter
    is_open = not arguments.form and exporter.form == FOLDER_FORM
    return exporter_of(SHARDS) if is_open or exporter.form == SAFETENSORS else exporter


def wanted_of(arguments: argparse.Namespace, exporter: Exporter) -> Wanted:
    """What is to be exported. Raises ExportError for what the form does not follow."""
    names = NameRules(tuple(arguments.strip), tuple(arguments.rename), arguments.prefix)
    if names and exporter.takes != TENSORS:
        raise ExportError("export-names-fixed", form=exporter.form)
    given = {option: value for option in OPTIONS if (value := getattr(arguments, option.key)) is not None}
    for option in given:
        if option not in exporter.options:
            forms = ", ".join(each.form for each in EXPORTERS if option in each.options)
            raise ExportError("export-option-unfit", option=option.flag, form=exporter.form, forms=forms)
    return Wanted(
        arguments.root,
        tuple(arguments.only),
        tuple(arguments.skip),
        names,
        encoding=arguments.encoding,
        supplied=tuple(read_supplied(Path(name)) for name in arguments.source),
        **{option.key: value for option, value in given.items()},
    )
