#!/usr/bin/env bash
# Makes Picklescope known to the desktop, for one person and without root: file types, menu entry, icon.
#
#   packaging/linux/install-for-me.sh              install (again: renew)
#   packaging/linux/install-for-me.sh --uninstall  take all of it away again
#
# Needs: picklescope on PATH (or PICKLESCOPE=/path/to/picklescope), and the Debian packages
# shared-mime-info and desktop-file-utils. Everything goes below ${XDG_DATA_HOME:-~/.local/share}.
set -euo pipefail

name=io.github.picklescope.Picklescope
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
data=${XDG_DATA_HOME:-$HOME/.local/share}
entry=$data/applications/$name.desktop
types=$data/mime/packages/picklescope-mime.xml
icon=$data/icons/hicolor/scalable/apps/$name.svg

renew() {
    if command -v update-mime-database >/dev/null; then
        update-mime-database "$data/mime"
    else
        echo "update-mime-database is missing: install shared-mime-info, then run this again." >&2
    fi
    if command -v update-desktop-database >/dev/null; then
        update-desktop-database "$data/applications"
    else
        echo "update-desktop-database is missing: install desktop-file-utils, then run this again." >&2
    fi
}

# A path as one quoted argument of an Exec line.
quoted() {
    local text=$1
    text=${text//\\/\\\\}
    text=${text//\"/\\\"}
    text=${text//\`/\\\`}
    text=${text//\$/\\\$}
    text=${text//%/%%}
    # The file's own escapes come on top of those of the quoted argument.
    printf '"%s"' "${text//\\/\\\\}"
}

if [[ ${1:-} == --uninstall ]]; then
    rm -f "$entry" "$types" "$icon"
    mkdir -p "$data/applications" "$data/mime/packages"
    renew
    echo "Picklescope is no longer known to the desktop."
    exit 0
elif [[ $# -gt 0 ]]; then
    echo "Usage: $0 [--uninstall]" >&2
    exit 2
fi

program=${PICKLESCOPE:-$(command -v picklescope || true)}
if [[ -z $program || ! -x $program ]]; then
    echo "The command picklescope was not found. Install it first, or name it: PICKLESCOPE=/path/to/picklescope $0" >&2
    exit 1
fi

mkdir -p "${entry%/*}" "${types%/*}" "${icon%/*}"
# A desktop session does not know the PATH of a virtual environment, so the entry names the program in full.
while IFS= read -r line; do
    case $line in
        Exec=*) printf 'Exec=%s %%F\n' "$(quoted "$program")" ;;
        TryExec=*) printf 'TryExec=%s\n' "${program//\\/\\\\}" ;;
        *) printf '%s\n' "$line" ;;
    esac
done <"$here/$name.desktop" >"$entry"
cp "$here/picklescope-mime.xml" "$types"
cp "$here/../../resources/icons/picklescope.svg" "$icon"
renew
echo "Picklescope opens checkpoints on double-click now. Take it back with $0 --uninstall"
