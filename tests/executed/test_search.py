"""The search's index carries, for each section, the names that it teaches."""

import json

from executed.search import tag


def test_a_section_that_teaches_names_gets_them_as_tags_and_nothing_else_changes():
    docs = [{"location": "a.html", "title": "A", "text": "é"}, {"location": "a.html#b", "title": "B", "text": ""}]
    before = json.dumps({"config": {"lang": ["en"]}, "docs": docs})
    after = json.loads(tag(before, {"a.html#b": ["tl.load", "k"], "gone.html#x": ["y"]}))
    assert after == {"config": {"lang": ["en"]}, "docs": [docs[0], docs[1] | {"tags": ["tl.load", "k"]}]}
