"""docs/design-system.md speaks of the stylesheet as it is."""

import re
from pathlib import Path

from app.web.rendering import STATIC

STYLE = (STATIC / "style.css").read_text()
DOCUMENT = (Path(__file__).parents[2] / "docs" / "design-system.md").read_text()
DEFINED = set(re.findall(r"(--[a-z0-9-]+):", STYLE))


def test_every_token_is_named_and_none_is_used_that_is_not_there() -> None:
    assert set(re.findall(r"`(--[a-z0-9-]+)`", DOCUMENT)) == DEFINED
    assert set(re.findall(r"var\((--[a-z0-9-]+)\)", STYLE)) <= DEFINED


def test_the_components_that_are_named_are_there() -> None:
    named = set(re.findall(r"`\.([a-z-]+)", DOCUMENT.partition("## Components")[2]))
    assert named
    assert not {name for name in named if f".{name}" not in STYLE}


def test_what_has_a_colour_in_the_light_has_one_in_the_dark() -> None:
    roots = re.findall(r"(@media \(prefers-color-scheme: dark\) \{\s*)?:root \{(.*?)\}", STYLE, re.DOTALL)
    light, dark = (
        {name for is_dark, body in roots if bool(is_dark) is wanted for name in re.findall(r"(--[a-z0-9-]+): *#", body)}
        for wanted in (False, True)
    )
    assert light == dark
