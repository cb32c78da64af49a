"""What docs/threat-model.md says is proven by a test: that there is such a test."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
# `test_name`, `tests/app/test_file.py`, or `test_begins_like_this...`
NAMED = re.compile(r"`(?:tests/[a-z/_]*)?(test_\w+)(\.py|\.\.\.|)`")


def test_every_test_that_the_threat_model_names_is_there() -> None:
    files = list((ROOT / "tests").rglob("test_*.py"))
    defined = {name for file in files for name in re.findall(r"^def (test_\w+)", file.read_text(), re.MULTILINE)}
    there = {"": defined, ".py": {file.stem for file in files}}
    named = NAMED.findall((ROOT / "docs" / "threat-model.md").read_text())
    missing = [
        name
        for name, kind in named
        if not (any(known.startswith(name) for known in defined) if kind == "..." else name in there[kind])
    ]
    assert len(named) > 50
    assert not missing
