"""Where in an author's files something is, for sentences that name file and line."""

import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, TracebackType

from grader.challenge import MANIFEST_NAME, Challenge
from grader.exercise import exercise_of
from grader.inprocess import compiled
from grader.manifest import ManifestError
from grader.toml_text import TomlText


def in_manifest(challenge: Challenge, *place: str | int) -> str:
    """`softmax/challenge.toml, line 12`."""
    path = challenge.folder / MANIFEST_NAME
    return TomlText(short(path, challenge), path.read_text(encoding="utf-8")).at(*place)


def of_code(code: CodeType, challenge: Challenge, line: int | None = None) -> str:
    """`softmax/cases.py, line 31`, of a function there."""
    return f"{short(Path(code.co_filename), challenge)}, line {line or code.co_firstlineno}"


def of_function(function: Callable[..., object], challenge: Challenge) -> str:
    """Returns the place of what may be any callable: then the file alone is known."""
    code = getattr(function, "__code__", None)
    return of_code(code, challenge) if code is not None else f"{challenge.slug}/cases.py"


def short(path: Path, challenge: Challenge) -> str:
    """A path as authors call it: from the folder that holds the challenges on."""
    root = challenge.folder.parent
    return str(path.relative_to(root)) if path.is_relative_to(root) else path.name


def describe(error: BaseException, challenge: Challenge) -> str:
    """Says what an author's code raised, with the place in the challenge's own files where there is one."""
    if isinstance(error, ManifestError):
        return str(error)
    if isinstance(error, SyntaxError) and error.filename:
        return f"SyntaxError: {error.msg} ({short(Path(error.filename), challenge)}, line {error.lineno})"
    places = list(_places(error.__traceback__, challenge))
    where = f" ({places[-1]})" if places else ""
    first_line = (str(error).splitlines() or [""])[0]
    return f"{type(error).__name__}: {first_line}{where}"


def _places(trace: TracebackType | None, challenge: Challenge) -> Iterator[str]:
    """Of each frame that runs an author's code, the outermost first."""
    for frame, line in traceback.walk_tb(trace):
        code = frame.f_code
        if code.co_filename == challenge.manifest.default_path:
            yield f"{_made_of(code, challenge)}, line {line}"
        elif any(str(folder) in code.co_filename for folder in challenge.folders):
            yield of_code(code, challenge, line)


def _made_of(code: CodeType, challenge: Challenge) -> str:
    """The file of the reference or of a misconception: both run under the name of what students upload."""
    exercise = exercise_of(challenge)
    for path in challenge.modules("reference"):
        if exercise.reference_source == path.read_bytes() and _holds(exercise.reference_source, code, challenge):
            return short(path, challenge)
    for mistake in exercise.misconceptions:
        if _holds(mistake.source, code, challenge):
            return f"{challenge.slug}/misconceptions/{mistake.name}.py"
    return "reference.py or a misconception"


def _holds(source: bytes, code: CodeType, challenge: Challenge) -> bool:
    return code in _codes(compiled(challenge.manifest.default_path, source))


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _codes(inner)
