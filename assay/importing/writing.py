"""Writes an imported assignment as the folder of a challenge."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from assay.importing.assignment import Assignment
from assay.importing.comparisons import Compared
from assay.importing.module import Module
from assay.importing.plan import Planned, as_file
from assay.new_challenge import Names
from grader.grouping import grouped
from grader.guest.inspection import EntryKind
from grader.manifest import EntryPointSection

CASES_HEAD: Final = '''"""The cases of {title}, as they were imported: a family for each question.

What is right is what reference.py gives; `growth` and `scale` carry the tolerances of the tests (docs/tolerance.md). A
case that is written with `draw` has other numbers in each paper: make more of them so.
"""

import math
from collections.abc import Iterator

import numpy as np
import torch

from grader.authoring import Call, Case, Draw, Gives, StructureCall


def _case(name: str, title: str, function: str, arguments: dict, **how: object) -> Case:
    return Case(name, title, Call("", function, arguments, gives=Gives.VALUES), what="result", **how)
'''
CASES_END: Final = '''

def structure(draw: Draw) -> list[StructureCall]:
    """No call is watched: there are no rules about how the code is written."""
    return []


def workload(draw: Draw) -> Call:
    """What is timed."""
    {workload}


FAMILIES = {families}
'''
SHORT: Final = 110  # characters of a line
QUESTIONS: Final = "# The conceptual questions; none yet. How to write one: docs/questions.md.\nquestions = []\n"


@dataclass(frozen=True)
class Written:
    """All that a folder is made of."""

    names: Names
    found: Assignment
    module: Module
    cases: Sequence[Planned]
    forgeable: Sequence[Planned]


def write_folder(written: Written, folder: Path) -> None:
    """Writes every file of the challenge."""
    for name, text in _files(written):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def _files(written: Written) -> Iterator[tuple[str, str]]:
    upload, module = f"{written.names.function}.py", written.module
    yield "challenge.toml", "\n".join(_manifest(written))
    yield "spec.md", _spec(written)
    yield f"starter/{upload}", module.starter
    yield "reference.py", module.solution
    yield "accepted/solution.py", module.solution
    yield "cases.py", _cases(written)
    yield "questions.toml", QUESTIONS
    for name, tests in by(written.forgeable, "file").items():
        yield f"tests/{name}.py", as_file(tests, module, written.names.function)


def by(planned: Iterable[Planned], what: str) -> dict[str, list[Planned]]:
    """The tests of each file or family, in their order."""
    return grouped((getattr(one, what), one) for one in planned)


def _manifest(written: Written) -> Iterator[str]:
    names, module = written.names, written.module
    entries = list(module.entries.values())
    yield "# Imported. Every key: docs/challenges.md."
    yield f"title = {_text(names.title)}"
    yield f"summary = {_text(f'Write {_listed([entry.name for entry in entries])}.')}"
    yield f'upload = "{names.function}.py"\ndefault_path = "{names.function}.py"\nbaseline = "accepted/solution.py"\n'
    for entry in entries:
        yield from _entry(entry)
    yield f"[source]\nmain = {_text(_main(entries).name)}\nmodules = {_list(module.libraries)}\n"
    yield "# Points as the assignment has them; a family shares them out among its cases."
    for name, tests in by(written.cases, "family").items():
        yield f"[families.{name}]\n{_section(tests)}"
    yield '[families.efficiency]\ntitle = "Efficiency"\npoints = 0\nrequired = false\n'
    if written.forgeable:
        yield "# Tests that run beside the student's code, which could forge them: their points are counted apart."
    for name, tests in by(written.forgeable, "file").items():
        yield f"[forgeable.{name}]\n{_section(tests)}"


def _entry(entry: EntryPointSection) -> Iterator[str]:
    yield f"[[entry_points]]\nname = {_text(entry.name)}"
    if entry.kind is EntryKind.CLASS:
        yield 'kind = "class"'
    yield f"parameters = {_list(entry.parameters)}"
    if entry.optional:
        yield f"optional = {entry.optional}"
    for key in ("keywords", "methods"):
        if getattr(entry, key):
            yield f"{key} = {_list(getattr(entry, key))}"
    yield ""


def _main(entries: Sequence[EntryPointSection]) -> EntryPointSection:
    """The last function: it mostly uses those before it."""
    return next((entry for entry in reversed(entries) if entry.kind is EntryKind.FUNCTION), entries[-1])


def _section(tests: Sequence[Planned]) -> str:
    title = tests[0].test.group + (" (hidden)" if tests[0].test.is_hidden else "")
    visibility = "hidden" if tests[0].test.is_hidden else "public"
    points = round(sum(one.test.points for one in tests), 4)
    return f'title = {_text(title)}\npoints = {points:g}\nvisibility = "{visibility}"\n'


def _spec(written: Written) -> str:
    prompt = "\n\n".join(text.strip() for text in written.found.prompt if text.strip())
    has_title = prompt.startswith("# ")
    signatures = "\n".join(_signature(entry) for entry in written.module.entries.values())
    return "\n\n".join(
        [
            *([] if has_title else [f"# {written.names.title}"]),
            *([prompt] if prompt else []),
            f"## What to write\n\nUpload one file, `{written.names.function}.py`, or a notebook, with:",
            f"```python\n{signatures}\n```\n",
        ]
    )


def _signature(entry: EntryPointSection) -> str:
    if entry.kind is EntryKind.CLASS:
        return f"class {entry.name}:\n    def __init__({', '.join(filter(None, ('self', entry.signature)))}): ..."
    return f"def {entry.name}({entry.signature}): ..."


def _cases(written: Written) -> str:
    families = by(written.cases, "family")
    functions = {name: f"family_{place}" for place, name in enumerate(families, start=1)}
    bodies = [_family(functions[name], name, tests) for name, tests in families.items()]
    timed = next((functions[one.family] for one in written.cases for case in _of(one) if not case.raises), None)
    workload = (
        f"return next(case.call for case in {timed}(draw) if not case.raises)"
        if timed
        else 'raise LookupError("no test of the assignment became a case: write a family of cases first")'
    )
    listed = ", ".join(f"{_text(name)}: {function}" for name, function in functions.items())
    head = CASES_HEAD.format(title=written.names.title)
    return head + "".join(bodies) + CASES_END.replace("{workload}", workload).replace("{families}", f"{{{listed}}}")


def _of(planned: Planned) -> Sequence[Compared]:
    return planned.cases.cases if planned.cases else ()


def _family(function: str, name: str, tests: Sequence[Planned]) -> str:
    places = ", ".join(dict.fromkeys(one.test.where for one in tests))
    told = f"{name}: {places}".translate(str.maketrans('\\"', "/'"))
    lines = [f"\n\ndef {function}(draw: Draw) -> Iterator[Case]:", f'    """{told}."""']
    number = 0
    for planned in tests:
        for step in planned.cases.steps if planned.cases else ():
            if isinstance(step, str):
                lines.append(f"    {step}")
            else:
                number += 1
                lines.append(f"    yield {_yielded(str(number), step)}")
    return "\n".join(lines) + "\n"


def _yielded(name: str, case: Compared) -> str:
    arguments = ", ".join(f"{_text(key)}: {value}" for key, value in case.arguments.items())
    how = [] if case.raises else [f"growth={case.growth:g}"]
    how += [f"scale={case.scale:.4g}"] if case.scale else []
    how += [f"raises=({', '.join(map(_text, case.raises))},)"] if case.raises else []
    how += [f"hint={_text(case.hint)}"] if case.hint else []
    parts = [_text(name), _text(case.title), _text(case.function), f"{{{arguments}}}", *how]
    short = f"_case({', '.join(parts)})"
    return short if len(short) <= SHORT else "_case(\n        " + ",\n        ".join(parts) + ",\n    )"


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _text(text: str) -> str:
    """One line as TOML and Python both write it."""
    return json.dumps("".join(letter if letter.isprintable() else " " for letter in text), ensure_ascii=False)


def _list(names: Iterable[str]) -> str:
    return f"[{', '.join(map(_text, names))}]"
