"""Tell the site's search which section teaches what: names of the API as its tags, and kernels."""

import json
from collections.abc import Mapping


def add_fields(index: str, fields: Mapping[str, Mapping[str, list[str]]]) -> str:
    """Material's search index with further fields of sections, by their address.

    How much a match in a field counts stands in ``mkdocs.yml``. Of these fields a result shows ``tags``.
    """
    data = json.loads(index)
    for entry in data["docs"]:
        entry.update(fields.get(entry["location"], {}))
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False)
