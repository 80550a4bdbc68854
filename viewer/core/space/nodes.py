"""What a map of the space shows: bytes by branch of the names, or by storage, as a tree made as it is opened."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Final

from viewer.core.space.account import Account, Item, What
from viewer.core.space.storages import StorageUse
from viewer.core.span import Span
from viewer.core.tensors.branches import Branches, Numbers
from viewer.core.tensors.columns import shown_name
from viewer.core.tensors.tensor import Tensor

MOST_STORAGES: Final = 4096
"""Storages that are told one by one, the largest."""
TENSORS: Final = frozenset({What.TENSORS, What.SHARED})


class By(StrEnum):
    """What bytes are grouped by."""

    BRANCH = "branch"
    STORAGE = "storage"


class Kind(StrEnum):
    """What a node is. GROUP: all bytes of some heads. MERGED: small ones that are shown as one."""

    WHOLE = "whole"
    GROUP = "group"
    BRANCH = "branch"
    TENSOR = "tensor"
    STORAGE = "storage"
    ITEM = "item"
    MERGED = "merged"


@dataclass(frozen=True, slots=True)
class Node:
    """Some bytes. `what`: their head, of a tensor's TENSORS. `number`: of the branch, tensor, storage or item.

    `label`: text of the file; "" where the head says all. `dtype`: of a tensor, for its colour. `opens`: there is more
    in it. `span`: in the source that `member` names, "" = the document's own; None where it is not one run.
    """

    kind: Kind
    what: What
    label: str
    nbytes: int
    number: int = -1
    dtype: str = ""
    opens: bool = False
    span: Span | None = None
    member: str = ""


class Nodes:
    """The nodes of one account. All numbers are those of `account`, `branches` and `tensors`."""

    def __init__(self, account: Account, branches: Branches, tensors: Sequence[Tensor]) -> None:
        self.account = account
        self.branches = branches
        self.tensors = tensors
        self._made: dict[Node, list[Node]] = {}

    def root(self, by: By) -> Node:
        """All bytes of the file."""
        return Node(Kind.WHOLE, What.TENSORS, by, self.account.size, opens=True)

    def children(self, node: Node) -> list[Node]:
        """What is in a node, the largest first."""
        found = self._made.get(node)
        if found is None:
            made = sorted(self._children(node), key=lambda child: -child.nbytes)
            found = self._made[node] = [child for child in made if child.nbytes]
        return found

    def merged(self, node: Node, nbytes: int) -> Node:
        """What stands for the small ones of a node."""
        return Node(Kind.MERGED, node.what, "", nbytes, node.number)

    def tensor(self, number: int) -> Node:
        """The bytes that a tensor owns."""
        tensor, account = self.tensors[number], self.account
        span, nbytes = account.piles.span(number), int(account.owned[number])
        name = shown_name(tensor).rpartition(".")[2]
        member = account.piles.member(number)
        return Node(Kind.TENSOR, What.TENSORS, name, nbytes, number, tensor.dtype, span=span, member=member)

    def path(self, number: int, by: By) -> list[Node]:
        """The nodes that lead to a tensor, from the root down, itself last."""
        found = [self.root(by)]
        wanted = self.tensor(number)
        if by is By.STORAGE:
            for group in self.children(found[0]):
                if group.what is What.TENSORS:
                    holder = self._holder(number)
                    node = next((one for one in self.children(group) if one.number == holder), None)
                    return [*found, group, *([node] if node is not None else [])]
            return found
        above = [self.branches.homes[number]]
        while above[-1] > 0:
            above.append(self.branches.parents[above[-1]])
        for branch in reversed(above):
            kind = Kind.BRANCH if branch else Kind.GROUP
            node = next((one for one in self.children(found[-1]) if one.kind is kind and one.number == branch), None)
            if node is None:
                return found
            found.append(node)
        return [*found, wanted]

    def whole_label(self, node: Node) -> str:
        """The full name of a tensor or branch; else the label."""
        if node.kind is Kind.TENSOR:
            return shown_name(self.tensors[node.number])
        return self.branches.prefix(node.number) if node.kind is Kind.BRANCH else node.label

    # -- how -------------------------------------------------------------------------------------

    def _children(self, node: Node) -> list[Node]:
        if node.kind is Kind.WHOLE:
            return self._groups(By(node.label))
        if node.kind is Kind.GROUP and node.what is not What.TENSORS:
            return [self._item(at) for at, item in enumerate(self.account.items) if item.what is node.what]
        if node.kind is Kind.GROUP and node.number < 0:
            return self._storages(node)
        if node.kind is Kind.STORAGE:
            return self._in_storage(self.account.storages[node.number])
        return self._in_branch(node.number) if node.kind in (Kind.GROUP, Kind.BRANCH) else []

    def _groups(self, by: By) -> list[Node]:
        """The heads: first all that tensors use, then all else. By storage what is wasted stands in its storage."""
        account = self.account
        in_storages = account.sums[What.WASTED] if by is By.STORAGE else 0
        used = account.tensor_bytes + in_storages
        number = 0 if by is By.BRANCH else -1
        found = [Node(Kind.GROUP, What.TENSORS, "", used, number, opens=True)]
        for what in What:
            if what in TENSORS or (what is What.WASTED and by is By.STORAGE):
                continue
            found.append(Node(Kind.GROUP, what, "", account.sums[what], opens=True))
        return found

    def _in_branch(self, branch: int) -> list[Node]:
        sums = self._sums
        found = [
            Node(Kind.BRANCH, What.TENSORS, self.branches.texts[one], int(sums[one]), one, opens=True)
            for one in self.branches.inner(branch)
            if sums[one]
        ]
        owned = self.account.owned
        return found + [self.tensor(one) for one in self.branches.own(branch).tolist() if owned[one]]

    @cached_property
    def _sums(self) -> Numbers:
        return self.branches.sums(self.account.owned)

    def _holder(self, number: int) -> int:
        """The storage that a tensor stands in; -1: it stands in none."""
        piles = self.account.piles
        span = piles.span(number)
        return self.account.storages.holding(span, piles.member(number)) if span is not None else -1

    def _storages(self, node: Node) -> list[Node]:
        """The largest storages, and what all others take together."""
        sizes = self.account.storages.sizes
        found = [self._storage(at) for at in range(min(len(sizes), MOST_STORAGES))]
        rest = int(sizes[MOST_STORAGES:].sum())
        return [*found, self.merged(node, rest)] if rest else found

    def _storage(self, at: int) -> Node:
        use = self.account.storages[at]
        dtype = self.tensors[use.tensors[0]].dtype if use.tensors else ""
        opens = bool(use.wasted)
        label = use.label or (shown_name(self.tensors[use.tensors[0]]) if use.tensors else "")
        return Node(
            Kind.STORAGE, What.TENSORS, label, use.nbytes, at, dtype, opens=opens, span=use.span, member=use.member
        )

    def _in_storage(self, use: StorageUse) -> list[Node]:
        """What is used of a storage, and what is not."""
        first = use.tensors[0] if use.tensors else -1
        dtype, name = (self.tensors[first].dtype, shown_name(self.tensors[first])) if first >= 0 else ("", "")
        label = name if use.count == 1 else ""
        return [
            Node(Kind.TENSOR, What.TENSORS, label, use.used, first, dtype, span=use.span, member=use.member),
            Node(Kind.ITEM, What.WASTED, "", use.wasted, span=use.span, member=use.member),
        ]

    def _item(self, at: int) -> Node:
        item: Item = self.account.items[at]
        return Node(Kind.ITEM, item.what, item.label, item.nbytes, at, span=item.span, member=item.member)
