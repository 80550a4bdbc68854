"""Names of modules as paths: plain on every system, whatever the file states."""

from __future__ import annotations

import pytest

from viewer.core.code.module_paths import ModulePaths


def paths(*modules: str) -> list[str]:
    found = ModulePaths(modules)
    return ["/".join(found.parts(module)) for module in modules]


@pytest.mark.parametrize(
    ("module", "path"),
    [
        ("zoo.blocks", "zoo/blocks"),
        ("__main__", "main_script"),
        ("模型.层", "模型/层"),
        ("..", "unnamed"),
        ("", "unnamed"),
        ("../../etc/passwd", "_/_etc_passwd"),
        ("..\\..\\x", "_/_x"),
        ("/etc/passwd", "_etc_passwd"),
        ("C:\\x", "C__x"),
        ("\\\\server\\share", "__server_share"),
        ("a\nimport os", "a_import_os"),
        ("a\0b", "a_b"),
        ("zoo.__init__", "zoo/__init___"),
        ("zoo.__main__", "zoo/main_script"),
        ("zoo.__pycache__", "zoo/__pycache___"),
        ("class.def", "class_/def_"),
        ("CON", "CON_"),
        ("zoo.nul", "zoo/nul_"),
        ("zoo.com1", "zoo/com1_"),
        ("zoo.Lpt9", "zoo/Lpt9_"),
        ("os", "os_"),
        ("types", "types_"),
        ("zoo.types", "zoo/types"),
        ("torch.evil", "torch_/evil"),
        ("numpy", "numpy_"),
        ("sympy.core", "sympy_/core"),
        ("as_stored", "as_stored_"),
        ("2net", "_2net"),
        ("a b.c-d", "a_b/c_d"),
        ("\u202eevil", "_evil"),
        ("ﬁle", "file"),
        ("\ud800", "_"),
        (".zoo..blocks.", "zoo/blocks"),
    ],
)
def test_the_path_of_a_module(module: str, path: str) -> None:
    assert paths(module) == [path]


def test_no_two_modules_share_a_path() -> None:
    assert paths("zoo", "zoo.", ".zoo", "..", "", "unnamed") == [
        *("zoo", "zoo_2", "zoo_3", "unnamed_2", "unnamed_3", "unnamed")
    ]
    modules = ("zoo.Net", "zoo.net", "Zoo.net", "zoo.NET", "ﬁle", "file", "a-b", "a b", "a_b")
    assert paths(*modules) == [
        "zoo/Net",
        "zoo/net_2",
        "Zoo_2/net",
        "zoo/NET_3",
        "file_2",
        "file",
        "a_b_2",
        "a_b_3",
        "a_b",
    ]


def test_a_module_called_main_script_goes_before_the_main_one() -> None:
    assert paths("__main__", "main_script") == ["main_script_2", "main_script"]


def test_long_names_are_cut_and_stay_apart() -> None:
    long, other, deep = "a" * 90, "a" * 91, ".".join("abcdefghijklm")
    first, second, third, fourth = paths(long, other, deep, "x." * 10_000 + "y")
    assert first != second
    assert all(path.startswith("a" * 40 + "_") and len(path) == 49 for path in (first, second))
    assert third.startswith("m_")
    assert fourth.startswith("y_")
    assert "/" not in third + fourth
