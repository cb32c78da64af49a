"""The editor's bundle is made of what is committed beside it, and says whose work it is. Nothing here needs Node."""

import hashlib
import json
import re
from pathlib import Path

from app.web.rendering import STATIC

SOURCES = STATIC.parent / "editor"
LOCK = json.loads((SOURCES / "package-lock.json").read_text("utf-8"))["packages"]
BUNDLE = (STATIC / "editor.js").read_text("utf-8")
LICENCES = (STATIC / "editor.licences.txt").read_text("utf-8")


def made_from(folder: Path) -> str:
    files = sorted(folder.glob("*.js*"), key=lambda path: path.name)
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()


def test_the_bundle_is_made_of_the_sources_and_the_lock_as_they_are() -> None:
    stated = re.match(r"/\*! .* Made by scripts/editor from ([0-9a-f]{64}) \*/\n", BUNDLE)
    assert stated
    assert stated[1] == made_from(SOURCES), "run scripts/editor"


def test_every_package_in_the_bundle_is_named_with_its_version_and_licence() -> None:
    named = dict(re.findall(r"^--- (\S+) (\S+)$", LICENCES, re.MULTILINE))
    locked = {path.removeprefix("node_modules/"): entry for path, entry in LOCK.items() if path}
    assert {"@codemirror/state", "@codemirror/view", "@lezer/python"} <= named.keys()
    for name, version in named.items():
        assert (locked[name]["version"], locked[name]["license"]) == (version, "MIT"), name
    assert LICENCES.count("MIT License") + LICENCES.count("Permission is hereby granted") >= len(named)


def test_the_lock_pins_every_package_by_its_hash_and_names_no_host() -> None:
    for path, entry in LOCK.items():
        assert not path or entry["integrity"].startswith("sha512-"), path
        assert "resolved" not in entry, path
