"""Paths that the server names and we write to: they must not lead out of the student's folder."""

from pathlib import PurePosixPath
from typing import Annotated

from pydantic import AfterValidator


def _inside(path: str) -> str:
    parts = PurePosixPath(path).parts
    if (
        not path.endswith(".py")
        or not path.isprintable()
        or set(path) & set(":\\")
        or not parts
        or {"/", ".."} & set(parts)
    ):
        raise ValueError("not a path inside a project")
    return path


ProjectPath = Annotated[str, AfterValidator(_inside)]
