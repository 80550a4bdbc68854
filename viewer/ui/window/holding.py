"""What holds of the file that is looked at: by it the commands are switched on and off."""

from __future__ import annotations

from typing import TYPE_CHECKING

from viewer.ui.actions import Fact

if TYPE_CHECKING:
    from viewer.core.document import Document
    from viewer.core.problem import Problem
    from viewer.session.session import Session


def facts_of(session: Session) -> set[Fact]:
    """The facts of a file, whether it is decoded or not."""
    document, source = session.document, session.shown_source
    tests = {
        Fact.FILE: True,
        Fact.BYTES: source is not None and source.size > 0,
        Fact.BUSY: session.jobs.busy,
        Fact.BACK: session.history.can_go_back,
        Fact.FORWARD: session.history.can_go_forward,
    }
    found = {fact for fact, holds in tests.items() if holds}
    return found if document is None else found | _facts_of_document(session, document)


def problems_with_place(document: Document | None) -> list[Problem]:
    """Those that can be walked to, in the order of their bytes."""
    found = [problem for problem in document.problems if problem.span is not None] if document is not None else []
    return sorted(found, key=lambda problem: problem.span.start if problem.span is not None else 0)


def _facts_of_document(session: Session, document: Document) -> set[Fact]:
    # Loaded when the file was decoded, which loads most of this: its bytes are shown before.
    from viewer.core.search.base import NAME
    from viewer.core.summary.classes import holds_modules
    from viewer.ui.models.remedies import most_wanted

    tests = {
        Fact.DECODED: True,
        Fact.DAMAGED: session.left is not None and session.left.can_be_rescued,
        Fact.PACKED: most_wanted(session) > 0,
        Fact.SOURCES: any(source.text is not None for source in document.sources),
        Fact.MODULES: holds_modules(document),
        Fact.TENSORS: bool(document.tensors),
        Fact.TENSOR: session.selection.tensor is not None,
        Fact.FOUND: bool(session.search.totals.get(NAME)),
        Fact.PROBLEMS: bool(problems_with_place(document)),
    }
    return {fact for fact, holds in tests.items() if holds}
