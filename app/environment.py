"""The names of variables in the environment: which are ours, where secrets lie, and what a wrong one is told."""

from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Final

from pydantic import ValidationError

PREFIX: Final = "ASSAY_"
SECRETS: Final = Path("/run/secrets")
# Programs that share the prefix and check their names themselves: the judge, the runner, the student's client.
OTHER_PREFIXES: Final = ("ASSAY_WORKER_", "ASSAY_RUNNER_", "ASSAY_VERIFIER_")
OTHER_NAMES: Final = frozenset({"ASSAY_SERVER", "ASSAY_TOKEN"})


class SettingsError(Exception):
    """Raised when the environment is not valid, with a sentence for the operator."""


def secrets_folder() -> Path | None:
    """Returns the folder of Docker's and Kubernetes' secrets: a file for each, named like its
    variable in lower case.
    """
    return SECRETS if SECRETS.is_dir() else None


def kept_secret(name: str) -> str | None:
    """Returns what the file of this name in the folder of secrets holds; None where there is none."""
    file = SECRETS / name
    return file.read_text(encoding="utf-8").strip() if file.is_file() else None


def refuse_unknown(names: Iterable[str], known: Collection[str]) -> None:
    """Raises SettingsError for a name that begins with ASSAY_ and is not `known`: most likely it is misspelt."""
    known = {*known, *OTHER_NAMES}
    ours = (name for name in names if name.upper().startswith(PREFIX))
    strangers = sorted(name for name in ours if name.upper() not in known and not name.startswith(OTHER_PREFIXES))
    if strangers:
        raise SettingsError(
            f"{', '.join(strangers)} is not a setting of Assay; docs/settings.md lists them all. Correct or unset it."
        )


def told_by_name(error: ValidationError) -> str:
    """Returns what is wrong with the settings as a sentence that names each variable."""
    problems = []
    for item in error.errors():
        message, name = item["msg"].removeprefix("Value error, "), "_".join(map(str, item["loc"])).upper()
        problems.append(f"{PREFIX}{name}: {message}" if name else message)  # what concerns several names them itself
    return f"{'; '.join(problems)}. docs/settings.md says what each setting means."
