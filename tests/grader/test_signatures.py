"""Where an entry point is defined is found in time that grows with what was sent, and no faster."""

import ast
import time
from collections.abc import Mapping

from grader.guest.definitions import Defined, find_definition, find_definitions

MAIN = "p/m0.py"


def stars(count: int) -> dict[str, ast.Module]:
    """Siblings that all take everything from each other; the last one defines `rope`."""
    files = {}
    for own in range(count):
        lines = [f"from .m{other} import *" for other in range(count) if other != own]
        lines.append("def rope(): pass" if own == count - 1 else f"x{own} = make()")
        files[f"p/m{own}.py"] = ast.parse("\n".join(lines))
    return files


def chain(count: int) -> dict[str, ast.Module]:
    links = (f"name{number} = name{number + 1}" for number in range(count))
    return {MAIN: ast.parse("\n".join((f"def name{count}(): pass", *links, "rope = name0")))}


def found(trees: Mapping[str, ast.Module]) -> tuple[Defined | None, float]:
    started = time.process_time()
    definition = find_definition("rope", MAIN, trees)
    return definition, time.process_time() - started


def test_siblings_that_all_import_each_other_are_read_once_each():
    definition, seconds = found(stars(32))
    assert definition is not None
    assert definition.path == "p/m31.py"
    assert seconds < 2, "in all their orders it would take longer than the universe is old"
    assert {f"x{number}" for number in range(31)} <= find_definitions(MAIN, stars(32)).others


def test_a_long_chain_of_names_is_followed_in_time_that_grows_with_it():
    definition, _ = found(chain(500))
    assert definition is not None
    assert definition.node.name == "name500"
    few, many = (min(found(chain(count))[1] for _ in range(3)) for count in (1000, 8000))
    assert many < 24 * max(few, 0.002)
