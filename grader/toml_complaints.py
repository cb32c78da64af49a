"""What pydantic finds wrong in an author's TOML file, as sentences with file, line and what to write instead."""

import difflib
import re
import types
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from grader.grouping import grouped
from grader.toml_text import KeyPath, TomlText

LONGEST: Final = 60  # characters of a name that is compared with others, and of a value that is repeated
_QUOTED: Final = re.compile(r"'[^']*'")
MOST: Final = 8  # complaints that are told one by one
# What a value must be, by the beginning of pydantic's word for what it is not.
_KINDS: Final = {
    "string": "a text in quotes",
    "float": "a number",
    "int": "a whole number",
    "bool": "true or false",
    "tuple": "a list in brackets",
    "list": "a list in brackets",
    "dict": "a table",
    "model": "a table",
}


class TomlSection(BaseModel, frozen=True, extra="forbid"):
    """A part of an author's TOML file. Unknown keys are refused."""


def complaints(error: ValidationError, file: TomlText, kind: Any) -> str:
    """One sentence for each place where something is wrong, in the order of the file, without a full stop. `kind` is
    what the file was read as: a model, or a dictionary of them.
    """
    places = ((problem, _in_data(problem, file.data)) for problem in error.errors())
    told = grouped(((file.line(place), place), _wanted(problem, place, file.data, kind)) for problem, place in places)
    found = [
        f"{file.name}, line {line}: {_joined(sentences)}" for (line, _), sentences in sorted(told.items(), key=_first)
    ]
    more = [f"and {len(found) - MOST} more"] if len(found) > MOST else []
    return "; ".join(found[:MOST] + more)


def _first(item: tuple[tuple[int, KeyPath], list[str]]) -> int:
    return item[0][0]


def _joined(sentences: Sequence[str]) -> str:
    """What may be of several kinds gets a sentence for each: they end differently, if at all."""
    distinct = sorted(dict.fromkeys(sentences), key=lambda sentence: " must be " in sentence)
    head, told, _ = distinct[0].partition(" must be ")
    kinds = [sentence.removeprefix(head + told) for sentence in distinct if told and sentence.startswith(head + told)]
    return head + told + ", or ".join(kinds) if kinds else distinct[0]


def _in_data(problem: ErrorDetails, data: Any) -> KeyPath:
    """The place as it is written: without pydantic's own words for which of several models it tried."""
    place: list[str | int] = []
    for part in problem["loc"]:
        if isinstance(data, Mapping) and part in data:
            data = data[str(part)]
        elif isinstance(data, Sequence) and not isinstance(data, str) and isinstance(part, int):
            data = data[part]
        elif not (problem["type"] == "missing" and part == problem["loc"][-1]):
            continue
        place.append(part)
    return tuple(place)


def _wanted(problem: ErrorDetails, place: KeyPath, data: Mapping[str, Any], kind: Any) -> str:
    key, table = f"`{place[-1]}`" if place else "the file", _table(place[:-1], data)
    match problem["type"]:
        case "missing":
            meaning = _meaning(kind, problem["loc"])
            lack = f"{table} lacks {key}" if table else f"{key} is missing"
            return lack + (f": {meaning}" if meaning else "")
        case "extra_forbidden":
            return (
                f"{table or 'the file'} has no key {key}{_instead(str(place[-1]), _known(kind, problem['loc'][:-1]))}"
            )
        case "union_tag_invalid":
            kinds = ", ".join(_QUOTED.findall(problem["ctx"]["expected_tags"]))
            return f"`kind` must be one of {kinds}, not {problem['ctx']['tag']!r}"
        case "union_tag_not_found":
            return f"{_table(place, data)} lacks `kind`, which says what the rest means"
        case "value_error":
            where = _table(place, data)
            return (f"{where}: " if where else "") + problem["msg"].removeprefix("Value error, ")
    named = f"{key} of {table}" if table else key
    return f"{named} must be {_requirement(problem)}, not {_shown(problem['input'])}"


def _requirement(problem: ErrorDetails) -> str:
    context = problem.get("ctx", {})
    match problem["type"]:
        case "enum" | "literal_error":
            return f"one of {context['expected']}"
        case "greater_than_equal":
            return f"{context['ge']:g} or more"
        case "greater_than":
            return f"more than {context['gt']:g}"
        case "less_than_equal":
            return f"{context['le']:g} or less"
        case "string_pattern_mismatch":
            return "a name of letters, digits and hyphens, such as `my-name`" if "-" in context["pattern"] else "a name"
    known = next((told for start, told in _KINDS.items() if problem["type"].startswith(start)), "")
    if known and problem["type"].endswith(("_type", "_parsing", "_from_float")):
        return known
    return problem["msg"].removeprefix("Input should be ").removeprefix("Value should be ").lower()


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def _table(place: KeyPath, data: Mapping[str, Any]) -> str:
    """`[families.values]`; nothing at the top. Of a list of tables, which of them: by id or name, else by number."""
    words: list[str] = []
    at: Any = data
    for part in place:
        at = at[part]
        if isinstance(part, int):
            name = at.get("id", at.get("name")) if isinstance(at, Mapping) else None
            words[-1] += f" {name!r}" if isinstance(name, str) else f" number {part + 1}"
        else:
            words.append(str(part))
    return f"[{'.'.join(words)}]" if words else ""


def _instead(name: str, known: Sequence[str]) -> str:
    near = difflib.get_close_matches(name[:LONGEST], known, n=1)
    if near:
        return f": write `{near[0]}`"
    return f"; its keys are {', '.join(known)}" if known else ""


def _known(kind: Any, place: tuple[int | str, ...]) -> list[str]:
    return [name for model in _models(_at(kind, place)) for name in model.model_fields]


def _meaning(kind: Any, place: tuple[int | str, ...]) -> str:
    """What the missing key says, in the model's own words."""
    fields = [model.model_fields.get(str(place[-1])) for model in _models(_at(kind, place[:-1]))]
    return next((field.description for field in fields if field is not None and field.description), "")


def _models(kinds: Sequence[Any]) -> list[type[BaseModel]]:
    return [kind for kind in kinds if isinstance(kind, type) and issubclass(kind, BaseModel)]


def _at(kind: Any, place: Sequence[int | str]) -> list[Any]:
    """What may stand at that place of such a thing, by its annotations."""
    kinds = list(_alternatives(kind))
    for part in place:
        inner = [step for each in kinds for step in _inside(each, part)]
        kinds = [one for each in inner for one in _alternatives(each)]
    return kinds


def _inside(kind: Any, part: int | str) -> Iterator[Any]:
    """What it holds under that key; itself, where the key is pydantic's word for this one of several models."""
    arguments = get_args(kind)
    match get_origin(kind):
        case types.NoneType | None if isinstance(kind, type) and issubclass(kind, BaseModel):
            if part in kind.model_fields:
                yield kind.model_fields[str(part)].annotation
            elif _is_tagged(kind, part):
                yield kind
        case origin if origin is dict:
            yield arguments[1]
        case origin if origin in (tuple, list):
            yield arguments[0]


def _is_tagged(model: type[BaseModel], part: int | str) -> bool:
    field = model.model_fields.get("kind")
    return model.__name__ == part or (field is not None and part in get_args(field.annotation))


def _alternatives(kind: Any) -> Iterator[Any]:
    origin = get_origin(kind)
    if origin is Annotated:
        yield from _alternatives(get_args(kind)[0])
    elif origin in (Union, types.UnionType):
        for one in get_args(kind):
            yield from _alternatives(one)
    elif origin is not Literal:
        yield kind
