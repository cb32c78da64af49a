"""What Gradescope would read of a results.json, and whether its documentation allows it."""

import json
from pathlib import Path
from typing import Any

SCHEMA = json.loads(Path(__file__).with_name("results.schema.json").read_text())


def read(results: Path) -> dict[str, Any]:
    import jsonschema  # noqa: PLC0415 - it builds parsers for a second, and most processes need none

    told: dict[str, Any] = json.loads(results.read_text())
    jsonschema.validate(told, SCHEMA)
    return told
