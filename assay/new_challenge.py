"""A new challenge from the template: a small exercise that works as it stands, named as its author asks."""

import keyword
import re
import sys
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Final, Self

TEMPLATE: Final = Path(str(files("assay") / "template"))
SLUG: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
SLUG_CHARACTERS: Final = 60
# A submission of such a name would be imported in the library's place.
LIBRARIES: Final = {"torch", "numpy", "einops", "einx", "jaxtyping"} | sys.stdlib_module_names


class NotAName(ValueError):
    """The author's slug cannot be one: told in a sentence."""


@dataclass(frozen=True)
class Names:
    """What the template calls `new-slug`, `new_function` and `New title`."""

    slug: str
    function: str
    title: str

    @classmethod
    def of(cls, slug: str, title: str | None) -> Self:
        """Raises NotAName."""
        if not SLUG.fullmatch(slug) or len(slug) > SLUG_CHARACTERS:
            raise NotAName(
                f"{slug!r} is not a valid name for a challenge: use lower-case words with hyphens, such as rms-norm."
            )
        function = slug.replace("-", "_")
        if keyword.iskeyword(function) or function in LIBRARIES:
            message = f"{slug!r} is the name of a Python or library module; students upload a module of that name."
            raise NotAName(message)
        plain_title = " ".join((title or slug.replace("-", " ").capitalize()).split())
        if not plain_title.isprintable() or not plain_title or set('"\\') & set(plain_title):
            raise NotAName("A title must be one line of text, without quotes or backslashes.")
        return cls(slug, function, plain_title)

    def put_into(self, text: str) -> str:
        """The template's text with these names in it."""
        return (
            text.replace("new-slug", self.slug).replace("new_function", self.function).replace("New title", self.title)
        )


def write_challenge(names: Names, root: Path) -> Path:
    """Writes the whole folder of a new challenge. Raises FileExistsError when there is one of that name."""
    folder = root / names.slug
    folder.mkdir(parents=True)
    for path in sorted(TEMPLATE.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            target = folder / names.put_into(path.relative_to(TEMPLATE).as_posix())
            target.parent.mkdir(exist_ok=True)
            target.write_text(names.put_into(path.read_text(encoding="utf-8")), encoding="utf-8")
    return folder
