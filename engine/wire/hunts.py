"""A bug hunt as the server tells it."""

from engine.wire.base import Wire
from engine.wire.paths import ProjectPath


class Symptoms(Wire):
    """Symptoms of a bug."""

    text: str
    fails: tuple[str, ...]
    agrees: tuple[str, ...] = ()
    case: str = ""
    snippet: str | None = None


class Cause(Wire):
    """What a bug was."""

    title: str
    explanation: str


class Hunt(Wire):
    """A file with a bug in it, handed out to be mended."""

    number: int
    default_path: ProjectPath
    source: str
    symptoms: Symptoms
    lines_max: int
    tries: int
    is_solved: bool
    cause: Cause | None = None
    left: int = 0
