"""How names are rated by themselves."""

from __future__ import annotations

import pytest

from viewer.core.safety.rules import Reason, Severity, rate
from viewer.wording.imports import IMPORT_REASONS, LEGEND

DANGEROUS = [
    ("os", "system", "listed-module"),
    ("posix", "system", "listed-module"),
    ("nt", "system", "listed-module"),
    ("subprocess", "Popen", "listed-module"),
    ("builtins", "eval", "listed"),
    ("builtins", "__import__", "hidden-name"),
    ("builtins", "setattr", "reaches-out"),
    ("numpy", "__builtins__", "hidden-name"),
    ("nets", "Net.__init__.__globals__", "hidden-name"),
    ("torch.serialization", "os.getcwd", "dotted-reach"),
    ("torch.utils", "collect_env.run", "dotted-reach"),
    ("torch.serialization", "os", "names-module"),
    ("torch.utils.collect_env", "run", "listed"),
    ("marshal", "loads", "reaches-out"),
    ("importlib", "import_module", "reaches-out"),
    ("types", "FunctionType", "makes-code"),
    ("torch", "load", "loads-files"),
    ("torch.hub", "load_state_dict_from_url", "loads-files"),
    ("joblib", "load", "loads-files"),
    ("pandas.io.parsers.readers", "read_csv", "loads-files"),
    ("asyncio.unix_events", "_UnixSubprocessTransport._start", "listed-module"),
    ("pip", "main", "listed-module"),
]
UNKNOWN = [
    ("nets", "Net", "unlisted"),
    ("os path", "getcwd", "unlisted"),
    ("ollections", "OrderedDict", "unlisted"),
    ("nets", "Outer.Inner", "dotted"),
    ("operator", "getitem", "getter"),
    ("torch.storage", "_load_from_bytes", "loads-bytes"),
    ("__torch__.nets", "Net", "script-class"),
    ("", "", "unlisted"),
    ("torch.nn.modules.linear", "evil", "unlisted"),
]
KNOWN = [
    ("collections", "OrderedDict", "accepted"),
    ("torch._utils", "_rebuild_tensor_v2", "accepted"),
    ("torch.nn.modules.conv", "Conv2d", "torch-class"),
    ("torch.optim.adam", "Adam", "torch-class"),
    ("numpy.core.multiarray", "_reconstruct", "numpy"),
    ("numpy.random._pickle", "__randomstate_ctor", "numpy"),
    ("builtins", "frozenset", "python-type"),
    ("copyreg", "_reconstructor", "python-type"),
    ("copyreg", "__newobj__", "python-type"),
    ("pathlib", "PosixPath", "python-type"),
    ("uuid", "UUID", "python-type"),
]


@pytest.mark.parametrize(("module", "name", "code"), DANGEROUS)
def test_dangerous(module: str, name: str, code: str) -> None:
    reason = rate(module, name, 4)
    assert (reason.severity, reason.code) == (Severity.DANGEROUS, code)


@pytest.mark.parametrize(("module", "name", "code"), UNKNOWN)
def test_unknown(module: str, name: str, code: str) -> None:
    reason = rate(module, name, 4)
    assert (reason.severity, reason.code) == (Severity.UNKNOWN, code)


@pytest.mark.parametrize(("module", "name", "code"), KNOWN)
def test_known(module: str, name: str, code: str) -> None:
    reason = rate(module, name, 4)
    assert (reason.severity, reason.code) == (Severity.KNOWN, code)


def test_names_of_python_2_are_rated_by_what_they_become() -> None:
    assert rate("__builtin__", "set", 2).code == "accepted"
    assert rate("__builtin__", "xrange", 2).code == "python-type"
    assert rate("copy_reg", "_reconstructor", 2).code == "python-type"
    assert rate("commands", "getoutput", 2).severity is Severity.DANGEROUS
    assert rate("cPickle", "loads", 2).severity is Severity.DANGEROUS
    assert rate("copy_reg", "_reconstructor", 3).severity is not Severity.DANGEROUS


def test_long_names_are_cut_in_sentences() -> None:
    reason = rate("nets." * 100_000 + "m", "A." * 100_000 + "B", 4)
    assert (reason.code, len(str(reason.params["name"]))) == ("dotted-reach", 300)
    assert len(str(rate("nets", "A." + "B" * 100_000, 4).params["name"])) == 300


def test_no_sentence_calls_anything_safe() -> None:
    every = [*IMPORT_REASONS.values(), LEGEND]
    assert not [sentence for sentence in every if "safe" in sentence.lower() or "secure" in sentence.lower()]


def test_every_sentence_has_its_place() -> None:
    codes = {code for _, _, code in (*DANGEROUS, *UNKNOWN, *KNOWN)}
    # Those of what is done with a name are held by the tests of the report.
    done = {"changes-global", "computed-name", "extension-code", "getter-called", "listed-known"}
    done |= {"getattr", "getattr-reach", "partial", "partial-reach"}
    assert codes | done == set(IMPORT_REASONS)


def test_a_code_that_nobody_lists_is_dangerous() -> None:
    assert Reason("of the future").severity is Severity.DANGEROUS
