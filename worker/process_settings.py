"""What the settings of the judge and of the runner share. Read once at start, handed down; nothing else reads the
environment.
"""

import os
from enum import StrEnum
from pathlib import Path
from typing import Any, ClassVar, Self

from pydantic import ValidationError
from pydantic_settings import BaseSettings


class Device(StrEnum):
    """What submissions run on."""

    CPU = "cpu"
    CUDA = "cuda"


class ProcessSettingsError(Exception):
    """The environment is not valid: a sentence for the operator."""


class ProcessSettings(BaseSettings):
    """Base of one frozen class for each process. Names of variables begin with its `env_prefix`."""

    process: ClassVar[str]  # what sentences call it
    secrets: ClassVar[Path | None] = None  # a folder with a file for each secret, named like its variable in lower case

    @classmethod
    def from_environment(cls, **chosen: Any) -> Self:
        """Reads the settings; what is `chosen` on the command line goes before the environment.

        Raises ProcessSettingsError with a sentence that names the variable.
        """
        prefix = cls.model_config["env_prefix"]
        known = {f"{prefix}{name.upper()}" for name in cls.model_fields}
        strangers = sorted(name for name in os.environ if name.upper().startswith(prefix) and name.upper() not in known)
        if strangers:
            known_names = ", ".join(sorted(known))
            message = f"{strangers[0]} is not a setting of the {cls.process}; is it misspelt? It knows {known_names}."
            raise ProcessSettingsError(message)
        has_secrets = cls.secrets is not None and cls.secrets.is_dir()
        try:
            return cls(_secrets_dir=cls.secrets if has_secrets else None, **chosen)
        except ValidationError as error:
            first = error.errors()[0]
            name = f"{prefix}{'_'.join(map(str, first['loc'])).upper()}"
            message = f"{name}: {first['msg'].lower()}. Set it in the environment of the {cls.process}."
            raise ProcessSettingsError(message) from error
