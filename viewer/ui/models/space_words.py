"""What the map of the space says: names of nodes, sizes, and the sentences on waste."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QCoreApplication

from viewer.core.space.account import NAMED, Account, What
from viewer.core.space.nodes import Kind, Node, Nodes
from viewer.ui.theme import region_of_dtype
from viewer.ui.words import count, joined, nbytes_of, paragraph, said, size
from viewer.wording.rows import KINDS
from viewer.wording.space import SPACE, WASTE

COLORS: Final = {
    What.WASTED: "gap",
    What.UNREFERENCED: "gap",
    What.SOURCE: "text",
    What.OPCODES: "memo",
    What.HEADERS: "zip_header",
    What.OTHER: "zip_directory",
    What.PADDING: "padding",
    What.GAP: "gap",
    What.TRAILING: "unknown",
    What.UNKNOWN: "unknown",
}
SHORT: Final = 48


def head_of(what: What) -> str:
    """What bytes are, in the person's language."""
    return said(SPACE[what][0])


def title_of(node: Node) -> tuple[str, bool]:
    """The name of a node, and whether it stands in the file."""
    if node.kind is Kind.WHOLE:
        return QCoreApplication.translate("space", "Everything"), False
    if node.kind is Kind.MERGED:
        return QCoreApplication.translate("space", "smaller ones"), False
    if node.kind is Kind.ITEM and node.what not in NAMED and node.label in KINDS:
        return said(KINDS[node.label]), False
    if node.label:
        return node.label, True
    if node.kind is Kind.TENSOR:
        return QCoreApplication.translate("space", "used"), False
    return head_of(node.what), False


def color_of(node: Node) -> str:
    """The region kind that a node is painted as."""
    return COLORS.get(node.what) or region_of_dtype(node.dtype or "float32")


def tip_of(nodes: Nodes, node: Node, merged: int = 0) -> str:
    """All that is known of a node, in lines."""
    total = nodes.account.size
    share = f"{100 * node.nbytes / total:.1f} %" if total else ""
    label = title_of(node)[0] if node.kind is Kind.ITEM else nodes.whole_label(node) or title_of(node)[0]
    if merged:
        label = QCoreApplication.translate("space", "{0} smaller ones").format(count(merged))
    lines = [label, f"{nbytes_of(node.nbytes)}, {share}"]
    if node.kind is Kind.TENSOR and node.number >= 0:
        tensor = nodes.tensors[node.number]
        lines.append(f"{tensor.dtype} [{', '.join(map(str, tensor.shape))}]")
    elif node.kind in (Kind.GROUP, Kind.ITEM):
        lines.append(said(SPACE[node.what][1]))
    return "\n".join(lines)


def spoken_of(nodes: Nodes, node: Node, merged: int = 0) -> str:
    """The same as one line, for screen readers."""
    return joined(tip_of(nodes, node, merged).split("\n"))


def waste_words(account: Account) -> str:
    """One sentence or two on what of the file is of no use."""
    stored = account.tensor_bytes + account.waste
    parts = []
    if account.waste:
        parts.append(said(WASTE["wasted"], {"waste": count(account.waste), "size": count(stored)}))
        if account.compact is not None:
            parts.append(said(WASTE["compact"], {"compact": size(account.compact)}))
    elif stored:
        parts.append(said(WASTE["none"]))
    if account.saved:
        parts.append(said(WASTE["saved"], {"saved": count(account.saved)}))
    if account.missing:
        parts.append(said(WASTE["missing"], {"missing": count(account.missing)}))
    if not account.exact:
        parts.append(said(WASTE["about"]))
    return paragraph(*parts)
