"""Tell the site's search which section teaches what, and mend how it tells its words apart."""

import json
import re
from collections.abc import Mapping

_NODE = re.compile(r"(?P<text>\w)=(?P=text)\+\w\+\w\.id(?=\}return (?P=text)\})")


def add_fields(index: str, fields: Mapping[str, Mapping[str, list[str]]]) -> str:
    """Material's search index with further fields of sections, by their address.

    How much a match in a field counts stands in ``mkdocs.yml``. Of these fields a result shows ``tags``.
    """
    data = json.loads(index)
    for entry in data["docs"]:
        entry.update(fields.get(entry["location"], {}))
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False)


def mend_worker(script: str) -> str:
    """Material's search worker, with nodes of its word tree that differ told apart. Raises ``ValueError``.

    lunr 2.3.9 merges two nodes whose edges read alike when written one after the other, each as its letter
    and the number of the node that it leads to: ``0`` to 12 and ``3`` to 4 is ``01234``, and so is ``0`` to
    1 and ``2`` to 34. In a book full of numbers words get lost, and a word that is in the tree but not in
    the index ends every search that meets it with an exception.
    """
    mended, found = _NODE.subn(r'\g<0>+","', script)
    if found != 1:
        raise ValueError(f"the search's script writes a node's edges in {found} places, wanted 1: it is another lunr")
    return mended
