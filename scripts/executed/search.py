"""Tell the site's search which section teaches what: the names of kernels and of the API, as its tags."""

import json
from collections.abc import Mapping


def tag(index: str, names: Mapping[str, list[str]]) -> str:
    """Material's search index, with the names that a section teaches as its tags; ``names`` goes by address."""
    data = json.loads(index)
    for entry in data["docs"]:
        if found := names.get(entry["location"]):
            entry["tags"] = found
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False)
