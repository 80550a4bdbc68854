"""Searching the files of ../shared: every hit leads to its place, and some that are known are found."""

from __future__ import annotations

import pytest

from tests.core.search.looking import looked, marked
from tests.shared import shared_files
from viewer.core.opening import open_document
from viewer.core.search.places import place_of, span_of
from viewer.core.summary.contents import Contents
from viewer.session.linking import Links
from viewer.session.search import selection_of

TYPED = (("e", False), ("t.*r", True), ("1", False), ("0.5", False), ("MARK", False), ("é", False))
FEW = 8


@pytest.mark.parametrize("path", [*shared_files("samples", "*.p*"), *shared_files("tricks", "*.p*")])
def test_every_hit_leads_to_its_place(path):
    document = open_document(path)
    documents = [*document.walk()]
    for text, expression in TYPED:
        found, look = looked(document, text, expression=expression)
        assert look.unread == 0
        for hits in found.values():
            for hit in hits[:FEW]:
                own = documents[hit.document]
                span = span_of(own, hit)
                assert span is None or span.length >= 0
                assert isinstance(place_of(own, hit), str)
                assert marked(hit)
                if not hit.leads:
                    assert hit.kind == "problem"
                    continue
                selection = selection_of(Links(own, Contents(own)), hit)
                assert selection.document == hit.document
                assert selection.node is not None or selection.spans or selection.code is not None
    document.close()


FACTS = (
    ("B_legacy_t140py2_state_dict.pt", "fc.weight", "name", "fc.weight", ""),
    ("D_t110_script.pt", "forward(self", "source", "def forward(self,", "D_t110_script.forward"),
    ("F_package.pt", "get_extra_state", "source", "def get_extra_state(self):", "mymodels"),
    ("A_tar_basic.pt", "dbl", "key", "dbl", ""),
)


@pytest.mark.parametrize(("name", "text", "kind", "hit", "place"), FACTS)
def test_known_hits(shared, name, text, kind, hit, place):
    document = open_document(shared / "samples" / name)
    found, _ = looked(document, text)
    assert (hit, place) in [(one.text, one.place) for one in found[kind]]
    document.close()
