"""How reports are printed."""

from enum import StrEnum


class Format(StrEnum):
    """What `--format` may say."""

    TEXT = "text"
    JSON = "json"
    JUNIT = "junit"
    GRADESCOPE = "gradescope"
