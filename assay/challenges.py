"""Which challenges a command speaks of: those of this installation, or a folder of one's own. Imports no torch."""

from pathlib import Path

from assay.errors import AssayError, WrongUsage
from grader.challenge import DEFAULT_ROOT, MANIFEST_NAME, Challenge, load_challenge
from grader.manifest import ManifestError


def slugs_in(root: Path) -> list[str]:
    """The challenges of this folder, by name. Whether they are sound is not asked."""
    return sorted(path.parent.name for path in root.glob(f"*/{MANIFEST_NAME}"))


def some_slugs_in(root: Path) -> list[str]:
    """Returns the challenges of this folder, by name. Raises AssayError where there is none."""
    slugs = slugs_in(root)
    if not slugs:
        raise AssayError(f"{root} holds no challenges.", "`assay challenge new SLUG` begins one.")
    return slugs


def challenge_named(slug: str, root: Path = DEFAULT_ROOT) -> Challenge:
    """Reads this one alone: a neighbour that is half written is in nobody's way.

    Raises WrongUsage with the ones there are, or ManifestError when it is broken.
    """
    found = slugs_in(root)
    if slug not in found:
        there_are = f"There is: {', '.join(found)}." if found else f"{root} holds none."
        raise WrongUsage(f"There is no challenge {slug!r}.", there_are)
    return load_challenge(root / slug)


def sound_challenge(slug: str, root: Path) -> Challenge:
    """Loads a challenge for a command whose user can mend the manifest. Raises AssayError with a sentence."""
    try:
        return challenge_named(slug, root)
    except ManifestError as error:
        raise AssayError(f"{error}.") from error
