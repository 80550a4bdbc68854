"""What macOS is told of the program: Info.plist for PyInstaller's BUNDLE, with the documents that it opens."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).parents[2]))
from viewer import __version__

VERSION: Final = __version__
SUFFIXES: Final = {
    "PyTorch checkpoint": ("pt", "pth", "ckpt", "th", "pt2", "distcp"),
    "Python pickle": ("pkl", "pickle"),
    "NumPy array": ("npy",),
    "NumPy archive": ("npz",),
    "safetensors file": ("safetensors",),
}
INFORMATION: Final = {
    "CFBundleDisplayName": "Picklescope",
    "CFBundleShortVersionString": VERSION,
    "LSMinimumSystemVersion": "12.0",
    "NSHighResolutionCapable": True,
    "CFBundleDocumentTypes": [
        {
            "CFBundleTypeName": name,
            "CFBundleTypeExtensions": list(suffixes),
            "CFBundleTypeRole": "Viewer",
            "LSHandlerRank": "Alternate",
        }
        for name, suffixes in SUFFIXES.items()
    ],
}
