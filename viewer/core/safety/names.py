"""What this project itself knows of names: which reach beyond the loader, which only hold data. Python 3 names.

What stands here completes the lists of others (`listed`, `accepted`); each set says what its names have in common.
"""

from __future__ import annotations

import re
from typing import Final

REACHING: Final = frozenset(
    {
        *("os", "posix", "nt", "posixpath", "ntpath", "sys", "subprocess", "shutil", "pathlib", "tempfile", "glob"),
        *("socket", "ssl", "http", "urllib", "ftplib", "smtplib", "webbrowser", "requests", "asyncio"),
        *("importlib", "imp", "pkgutil", "runpy", "ctypes", "cffi", "code", "codeop", "pdb", "bdb", "trace", "timeit"),
        *("cProfile", "profile", "doctest", "pickle", "_pickle", "marshal", "shelve", "pty", "platform", "signal"),
        *("multiprocessing", "imaplib", "poplib", "telnetlib", "socketserver", "xmlrpc", "zipimport", "site", "gc"),
        *("_posixsubprocess", "_socket", "_ctypes", "_winapi", "_thread", "threading", "atexit", "sched", "inspect"),
        *("dbm", "tarfile", "fileinput", "linecache", "mailcap", "sqlite3", "idlelib", "lib2to3", "pydoc", "venv"),
    }
)
"""Modules of the standard library that reach the computer beyond the loader."""
PATHS: Final = frozenset(
    f"{module}.{name}"
    for module in ("pathlib", "pathlib._local")
    for name in ("Path", "PosixPath", "WindowsPath", "PurePath", "PurePosixPath", "PureWindowsPath")
)
RUNNING: Final = frozenset(
    {
        *("eval", "exec", "compile", "open", "__import__", "input", "breakpoint", "globals", "vars"),
        *("locals", "setattr", "delattr", "execfile", "exit", "quit"),
    }
)
"""Builtins that run text, open files, or change what the loading program has."""
HOLDERS: Final = frozenset(
    {
        *("argparse.Namespace", "types.SimpleNamespace", "decimal.Decimal", "fractions.Fraction", "uuid.UUID"),
        *("datetime.date", "datetime.datetime", "datetime.time", "datetime.timedelta", "datetime.timezone"),
        *PATHS,
    }
)
"""Classes of the standard library that only hold data."""
_BUILTINS: Final = frozenset(
    f"builtins.{name}"
    for name in (
        *("bool", "bytearray", "bytes", "complex", "dict", "float", "frozenset", "int", "list", "object", "range"),
        *("set", "slice", "str", "tuple", "Ellipsis", "NotImplemented", "None"),
    )
)
_CONTAINERS: Final = frozenset(
    f"collections.{name}" for name in ("OrderedDict", "Counter", "defaultdict", "deque", "UserDict", "UserList")
)
_MAKERS: Final = frozenset(
    {
        "_codecs.encode",
        *(
            f"{module}.{name}"
            for module in ("copyreg", "copy_reg")
            for name in ("_reconstructor", "__newobj__", "__newobj_ex__")
        ),
    }
)
_NUMPY: Final = re.compile(
    r"numpy\.(ndarray|dtype|_?core\.multiarray\.(_reconstruct|scalar)|_?core\.numeric\._frombuffer"
    r"|random\._pickle\.__(randomstate|generator|bit_generator)_ctor|(dtypes\.)?[A-Za-z0-9]+DType"
    r"|ma\.(core\.)?(_mareconstruct|MaskedArray)|matrixlib\.defmatrix\.matrix"
    r"|(bool_?|u?int(8|16|32|64|c|p)|float(16|32|64)|complex(64|128)))"
)
_JOBLIB: Final = "joblib.numpy_pickle.NumpyArrayWrapper"
_TORCH_CLASS: Final = re.compile(
    r"torch\.(nn\.(modules|parallel|parameter|utils|quantized|intrinsic|qat|quantizable|backends)|ao\.nn|optim"
    r"|quantization|ao\.quantization|nested\._internal\.nested_tensor|utils\.hooks"
    r"|distributed\.(checkpoint\.(metadata|filesystem)|_shard|tensor|_mesh_layout|device_mesh))\.([\w.]*\.)?_?[A-Z]\w*"
    r"|torch\.distributed\.tensor\.DTensor|torch\.nn\.functional\.[a-z]\w*"
)
_TORCH_MAKERS: Final = frozenset(
    {
        *(f"torch._utils._rebuild_sparse_{kind}tensor" for kind in ("csr_", "csc_", "bsr_", "bsc_", "")),
        *(f"torch.jit._pickle.build_{kind}list" for kind in ("int", "tensor", "double", "bool")),
        *("torch.jit._pickle.build_tensor_from_id", "torch.jit._pickle.restore_type_tag"),
        *("torch._tensor._rebuild_from_type", "torch.tensor._rebuild_from_type", "torch.storage._UntypedStorage"),
        *("torch.layout", "torch.dtype", "torch.Generator", "torch.memory_format"),
        *("torch.strided", "torch.sparse_coo", "torch.sparse_csr", "torch.contiguous_format", "torch.preserve_format"),
    }
)
_LOADERS: Final = frozenset(
    {
        *("torch.load", "torch.serialization.load", "torch.jit.load", "torch.package.PackageImporter"),
        *("torch.jit._serialization.load", "torch.jit._script.load", "torch.export.load", "torch.save"),
        *("joblib.load", "joblib.numpy_pickle.load", "numpy.load", "numpy.save", "numpy.fromfile", "numpy.memmap"),
        *("numpy.lib.npyio.load", "numpy.lib._npyio_impl.load", "numpy.loadtxt", "numpy.genfromtxt"),
        *("cloudpickle.loads", "cloudpickle.load", "dill.loads", "dill.load", "yaml.load", "yaml.unsafe_load"),
        *("io.open", "io.FileIO", "io.open_code", "_io.open", "_io.FileIO", "_io.open_code", "codecs.open"),
        *("gzip.open", "gzip.GzipFile", "bz2.open", "bz2.BZ2File", "lzma.open", "lzma.LZMAFile", "zipfile.ZipFile"),
    }
)
_MODULES_OF_LOADERS: Final = (
    *("torch.hub.", "torch.utils.cpp_extension.", "torch._inductor.", "torch.utils.model_zoo."),
    *(
        "numpy.testing.",
        "numpy.distutils.",
        "numpy.f2py.",
        "numpy.ctypeslib.",
        "pandas.io.",
        "pandas.core.computation.",
    ),
    "_frozen_importlib.",
)
_MAKING_CODE: Final = frozenset(
    {"types.CodeType", "types.FunctionType", "types.MethodType", "types.ModuleType", "torch.ops", "pandas.eval"}
)
_MODULES_MAKING_CODE: Final = ("dill._dill._create_", "dill._dill._import_", "cloudpickle.cloudpickle._make_")
GRABBED: Final = frozenset({"os", "posix", "nt", "sys", "subprocess", "shutil", "socket", "importlib", "builtins"})
"""Modules that are named through another module only to get at them."""
GETTERS: Final = frozenset(
    f"{module}.{name}"
    for module in ("operator", "_operator")
    for name in ("getitem", "attrgetter", "itemgetter", "methodcaller", "call")
)
"""Functions that take something out of what they are given: a function, too."""
PYTHON_3: Final = 3
"""The first protocol whose names are those of Python 3."""
GETATTR: Final = "builtins.getattr"
PARTIAL: Final = frozenset({"functools.partial", "_functools.partial"})
LOADS_BYTES: Final = frozenset({"torch.storage._load_from_bytes"})
SCRIPT: Final = "__torch__"
_OWN_NAMES: Final = frozenset({"__builtin__", "__main__", "__mp_main__", SCRIPT})


def reaches_out(full: str) -> bool:
    """True for a name that runs text or reaches files, processes and the like, as far as its module tells it."""
    module, _, name = full.rpartition(".")
    if full in PATHS:
        return False
    if module == "builtins":
        return name in RUNNING
    return is_hidden(full) or module.partition(".")[0] in REACHING


def is_hidden(full: str) -> bool:
    """True for a name with a part that Python keeps to itself: `numpy.__builtins__`."""
    if full in _MAKERS:
        return False
    parts = full.split(".")
    return any(len(part) > 4 and part[:2] == part[-2:] == "__" and part not in _OWN_NAMES for part in parts)


def loads_files(full: str) -> bool:
    """True for functions that read, write or fetch files, and so run what stands in them."""
    return full in _LOADERS or full.startswith(_MODULES_OF_LOADERS)


def makes_code(full: str) -> bool:
    """True for what makes functions and modules of data."""
    return full in _MAKING_CODE or full.startswith(_MODULES_MAKING_CODE)


def is_plain_type(full: str) -> bool:
    """True for types of Python that only hold data, and the functions by which pickles make objects of classes."""
    return full in HOLDERS or full in _BUILTINS or full in _CONTAINERS or full in _MAKERS


def is_of_numpy(full: str) -> bool:
    """True for what numpy's arrays, numbers and random generators are made of, and joblib's sign for an array."""
    return full == _JOBLIB or bool(_NUMPY.fullmatch(full))


def is_of_torch(full: str) -> bool:
    """True for torch's own module, optimizer and metadata classes, and functions that make tensors."""
    return full in _TORCH_MAKERS or bool(_TORCH_CLASS.fullmatch(full))
