#!/usr/bin/env bash
# Whether the desktop knows the files of the program once it has installed itself: `bash .ci/desktop.sh PROGRAM PYTHON`.
# PYTHON has numpy. Nothing but a folder of its own is written to, and that goes at the end.
set -euo pipefail
program=$1 python=$2
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
name=io.github.picklescope.Picklescope.desktop

own=$(mktemp -d)
trap 'rm -rf "$own"' EXIT
export HOME=$own XDG_DATA_HOME=$own/data XDG_CONFIG_HOME=$own/config XDG_CACHE_HOME=$own/cache
# Which program xdg-mime asks for the type of a file goes by the desktop; GNOME's reads the types that were installed.
export XDG_CURRENT_DESKTOP=GNOME DE=gnome
mkdir -p "$own/files" "$XDG_DATA_HOME" "$XDG_CONFIG_HOME"

"$program" --install-desktop
desktop-file-validate "$XDG_DATA_HOME/applications/$name"

samples=$root/resources/samples
cp "$samples/checkpoint_adam.pt" "$own/files/zip.pt"
cp "$samples/checkpoint_adam.pt" "$own/files/zip.pth.tar"
cp "$samples/whole_model_legacy.pth" "$own/files/legacy.pth"
cp "$samples/whole_model_legacy.pth" "$own/files/legacy.pth.tar"
cp "$samples/runs_a_command.pkl" "$own/files/plain.pkl"
# Its content tells nothing, so that the name alone decides: *.pth.tar against *.tar.
printf 'unknown' >"$own/files/name.pth.tar"
"$python" - "$own/files" <<'PYTHON'
import sys
import tarfile
from pathlib import Path

import numpy as np

folder = Path(sys.argv[1])
np.save(folder / "one.npy", np.arange(3))
np.savez(folder / "two.npz", a=np.arange(3))
head = b'{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}'
(folder / "three.safetensors").write_bytes(len(head).to_bytes(8, "little") + head + bytes(4))
for name in ("other.tar", "tar.pth.tar"):
    with tarfile.open(folder / name, "w") as made:
        made.add(folder / "one.npy", "one.npy")
PYTHON

expect() {
    local file=$1 wanted=$2 opens=$3 kind default
    kind=$(xdg-mime query filetype "$own/files/$file")
    default=$(xdg-mime query default "$kind")
    printf '%-18s %-34s %s\n' "$file" "$kind" "${default:-none}"
    if [[ $kind != "$wanted" || $default != "$opens" ]]; then
        echo "$file should be $wanted and opened by ${opens:-nothing of ours}." >&2
        exit 1
    fi
}

expect zip.pt application/x-pytorch-checkpoint "$name"
expect zip.pth.tar application/x-pytorch-checkpoint "$name"
expect legacy.pth application/x-pytorch-legacy "$name"
expect legacy.pth.tar application/x-pytorch-legacy "$name"
expect name.pth.tar application/x-pytorch-checkpoint "$name"
expect plain.pkl application/x-python-pickle "$name"
expect one.npy application/x-numpy-array "$name"
expect two.npz application/x-numpy-archive "$name"
expect three.safetensors application/x-safetensors "$name"

# A real tar of that name is of its own type; it is opened by us, whichever of the three it holds.
expect tar.pth.tar application/x-pytorch-tar "$name"

# What is a tar by its name stays one, and no program of ours takes it.
kind=$(xdg-mime query filetype "$own/files/other.tar")
printf '%-18s %s\n' other.tar "$kind"
[[ $kind == application/x-tar && $(xdg-mime query default "$kind") != "$name" ]]

"$program" --uninstall-desktop
[[ $(xdg-mime query default application/x-pytorch-legacy) != "$name" ]]
