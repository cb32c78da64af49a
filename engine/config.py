"""Which server, which token: from the environment (read here alone), else from the file that `engine login` wrote.

ASSAY_SERVER and ASSAY_TOKEN override the file. A token is kept for the server it was given for and sent to no other.
"""

import difflib
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import click
from pydantic import BaseModel, ValidationError

from engine.errors import WrongUsage

DEFAULT_SERVER: Final = "http://127.0.0.1:8000"  # where `assay up` listens
SERVER_VARIABLE: Final = "ASSAY_SERVER"
TOKEN_VARIABLE: Final = "ASSAY_TOKEN"  # noqa: S105 - a variable's name


class Stored(BaseModel, frozen=True, extra="forbid"):
    """The file's content. `tokens` maps a server to its token."""

    server: str = DEFAULT_SERVER
    tokens: dict[str, str] = {}


@dataclass(frozen=True)
class Config:
    """Read once at start. `overrides` names the variables that were set."""

    folder: Path
    server: str
    tokens: Mapping[str, str] = field(repr=False)
    overrides: frozenset[str] = frozenset()

    @property
    def token(self) -> str | None:
        """The token for the present server; None when the student is not signed in there."""
        return self.tokens.get(self.server)

    @property
    def file(self) -> Path:
        """Where credentials are kept."""
        return self.folder / "credentials.json"

    @classmethod
    def read(cls, environment: Mapping[str, str] = os.environ) -> "Config":
        """Reads the environment and the file. Raises WrongUsage for a misspelt variable or a damaged file."""
        _refuse_misspelt(environment)
        folder = _folder(environment)
        stored = _stored(folder / "credentials.json")
        server = environment.get(SERVER_VARIABLE) or stored.server
        config = cls(folder, server_address(server), stored.tokens)
        if token := environment.get(TOKEN_VARIABLE):
            config = config.with_token(token_text(token))
        set_here = (name for name in (SERVER_VARIABLE, TOKEN_VARIABLE) if environment.get(name))
        return replace(config, overrides=frozenset(set_here))

    def at(self, server: str) -> "Config":
        """Returns the same with another server. Raises WrongUsage when that is no address."""
        return replace(self, server=server_address(server))

    def with_token(self, token: str) -> "Config":
        """Returns the same with a token for the present server."""
        return replace(self, tokens={**self.tokens, self.server: token})

    def without_token(self) -> "Config":
        """Returns the same without the token for the present server."""
        return replace(self, tokens={server: token for server, token in self.tokens.items() if server != self.server})

    def save(self) -> None:
        """Writes the file, which only the owner can read from its first byte on."""
        stored = Stored(server=self.server, tokens=dict(self.tokens))
        write_private(self.file, stored.model_dump_json(indent=1))


def server_address(text: str) -> str:
    """`scheme://host[:port][/prefix]`, however it was typed."""
    typed = text.strip()
    if "://" not in typed:
        typed = ("http://" if is_loopback("http://" + typed) else "https://") + typed
    try:
        parts = urlsplit(typed)
        labels = (parts.hostname or "").split(".")
        valid = parts.scheme in {"http", "https"} and all(0 < len(label) < 64 for label in labels)
        valid = valid and parts.port != 0 and "@" not in typed
    except ValueError:  # a port that is no number, brackets that do not close
        valid = False
    if not valid or any(c.isspace() for c in typed):
        raise WrongUsage(f"{text!r} is not a server's address.", f"It looks like {DEFAULT_SERVER}.")
    return typed.rstrip("/").removesuffix("/api/v1")


def token_text(text: str) -> str:
    """Strips what was pasted. Raises WrongUsage when it cannot be a token."""
    token = text.strip()
    if not token or not token.isascii() or not token.isprintable() or " " in token:
        raise WrongUsage("That is not a token.", "A token is one word that begins with `assay_`; paste all of it.")
    return token


def is_loopback(server: str) -> bool:
    """Tells whether the server runs on this machine."""
    return urlsplit(server).hostname in {"localhost", "127.0.0.1", "::1"}


def write_private(path: Path, text: str) -> None:
    """Replaces the file at once, mode 0600; its folder is made with mode 0700."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".")  # mkstemp: 0600
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        Path(name).replace(path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise


def _folder(environment: Mapping[str, str]) -> Path:
    base = environment.get("XDG_CONFIG_HOME")
    return Path(base) / "assay" if base else Path(click.get_app_dir("assay"))


def _stored(path: Path) -> Stored:
    try:
        return Stored.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return Stored()
    except ValidationError as error:
        raise WrongUsage(f"{path} is damaged.", "Remove it, then run `engine login` again.") from error


def _refuse_misspelt(environment: Mapping[str, str]) -> None:
    """Other ASSAY_ variables are the server's business, but one that is almost ours was meant for us."""
    known = [SERVER_VARIABLE, TOKEN_VARIABLE]
    for name in environment:
        near = difflib.get_close_matches(name, known, n=1, cutoff=0.85)
        if near and name not in known:
            raise WrongUsage(f"The environment has {name}; did you mean {near[0]}?", "Correct it or unset it.")
