"""The patch that makes an answer of what nearly is one: a file that gives the project's own definitions the names and
the order of the exercise, and its line in `engine.toml`.
"""

import ast
import difflib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from keyword import iskeyword
from pathlib import Path, PurePosixPath
from typing import Final

from engine.candidates import Candidate, Fit, NearAnswer
from engine.parts import NAME, PartFile, written
from engine.siblings import ImportPath

PATCH: Final = "engine.patch"
SHORT: Final = 72  # characters in parentheses


@dataclass(frozen=True)
class Adapter:
    """A new file, by its path inside the project, that answers `challenge`."""

    challenge: str
    file: str
    text: str


def adapter_for(folder: Path, near: NearAnswer) -> Adapter | None:
    """Writes an adapter beside the first of the definitions. None where they cannot be called so, or cannot be imported
    from there.
    """
    challenge = near.challenge
    name = f"answer_{challenge.slug.replace('-', '_').replace('.', '_')}.py"
    file = PurePosixPath(near.candidates[0].file).with_name(name).as_posix()
    home = ImportPath.of(folder / file, challenge.default_path, challenge.modules, project=folder)  # engine.toml's
    modules = [_module_of(home, folder / each.file, challenge.default_path) for each in near.candidates]
    is_named = all(_is_name(each.entry.name) for each in near.candidates)  # a server says it, and it becomes code
    if not (is_named and near.can_be_adapted) or None in modules or (folder / file).exists():
        return None
    named = list(zip(near.candidates, filter(None, modules), strict=True))
    head = f'"""What {challenge.slug} asks for, by its names and in its order."""\n'
    return Adapter(challenge.slug, file, "\n".join([head, *_imports(named), *_functions(near.candidates)]))


def _is_name(text: str) -> bool:
    return text.isidentifier() and text.isascii() and not iskeyword(text)


def _module_of(home: ImportPath, file: Path, default_path: str) -> str | None:
    """The name by which a file is imported."""
    dotted = ".".join(PurePosixPath(home.path_of(file, default_path)).with_suffix("").parts)
    found = home.module(dotted)
    return dotted if found is not None and found[1].resolve() == file.resolve() else None


def _imports(named: Iterable[tuple[Candidate, str]]) -> Iterator[str]:
    for candidate, module in named:
        bound = candidate.entry.name if candidate.fit is Fit.AS_IT_IS else _own(candidate)
        alias = "" if bound == candidate.name else f" as {bound}"
        yield f"from {module} import {candidate.name}{alias}"


def _own(candidate: Candidate) -> str:
    return f"own_{candidate.name.lstrip('_')}"


def _functions(candidates: Iterable[Candidate]) -> Iterator[str]:
    for candidate in candidates:
        if candidate.fit is Fit.BY_NAME:
            entry = candidate.entry
            given = [f"{name}={name}" for name in (*entry.parameters, *entry.keywords)]
            yield f"\n\ndef {entry.name}{_listed(_parameters(candidate))}:"
            yield f"    return {_own(candidate)}{_listed(given, indent=4)}"
    yield ""


def _listed(items: Sequence[str], indent: int = 0) -> str:
    """In parentheses, on one line where that is not long."""
    line = f"({', '.join(items)})"
    if len(line) <= SHORT:
        return line
    return "".join(["(\n", *(f"{' ' * (indent + 4)}{item},\n" for item in items), " " * indent, ")"])


def _parameters(candidate: Candidate) -> list[str]:
    """In the exercise's order, with the defaults that the student's own function has."""
    entry, defaults = candidate.entry, _defaults(candidate)
    required = max((place for place, name in enumerate(entry.parameters, start=1) if name not in defaults), default=0)
    positional = [
        f"{name}={defaults[name]}" if place >= required else name for place, name in enumerate(entry.parameters)
    ]
    keywords = [f"{name}={defaults[name]}" if name in defaults else name for name in entry.keywords]
    return [*positional, "*", *keywords] if keywords else positional


def _defaults(candidate: Candidate) -> dict[str, str]:
    """Those that mean the same in another file."""
    assert isinstance(candidate.node, ast.FunctionDef)
    arguments = candidate.node.args
    last = arguments.args[len(arguments.args) - len(arguments.defaults) :]
    pairs = [
        *zip(last, arguments.defaults, strict=True),
        *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True),
    ]
    return {argument.arg: ast.unparse(value) for argument, value in pairs if isinstance(value, ast.Constant)}


def patch_of(folder: Path, parts: Sequence[PartFile], adapters: Sequence[Adapter]) -> str:
    """Adds the files, and makes `engine.toml` name them beside `parts`."""
    more = [PartFile(adapter.challenge, adapter.file) for adapter in adapters]
    settings = folder / NAME
    before = settings.read_text(encoding="utf-8", errors="replace") if settings.exists() else ""
    texts = [*((each.file, "", each.text) for each in adapters), (NAME, before, written([*parts, *more]))]
    return "".join(line for name, old, new in texts for line in _changed(name, old, new))


def _changed(name: str, old: str, new: str) -> Iterator[str]:
    before, after = (text.splitlines(keepends=True) for text in (old, new))
    for line in difflib.unified_diff(before, after, f"a/{name}" if old else "/dev/null", f"b/{name}"):
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
