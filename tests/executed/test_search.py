"""The search's index carries, for each section, the names that it teaches; its script is mended or refused."""

import json

import pytest

from executed.search import add_fields, mend_worker


def test_a_section_that_teaches_names_gets_them_as_fields_and_nothing_else_changes():
    docs = [{"location": "a.html", "title": "A", "text": "é"}, {"location": "a.html#b", "title": "B", "text": ""}]
    before = json.dumps({"config": {"lang": ["en"]}, "docs": docs})
    fields = {"tags": ["tl.load"], "kernels": ["k"]}
    after = json.loads(add_fields(before, {"a.html#b": fields, "gone.html#x": {"tags": ["y"]}}))
    assert after == {"config": {"lang": ["en"]}, "docs": [docs[0], docs[1] | fields]}


def test_a_worker_of_another_lunr_is_refused():
    with pytest.raises(ValueError, match="in 0 places, wanted 1"):
        mend_worker("self.onmessage = () => {};")
