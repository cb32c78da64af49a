"""Where a repository may lie, and what its exercises are called: what people type, checked before any program sees it.
Asks no machine.
"""

import re
from typing import Final
from urllib.parse import urlsplit

URL_CHARACTERS: Final = 500
REF_CHARACTERS: Final = 200
NAMESPACE_CHARACTERS: Final = 24
WORDS: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_HOST: Final = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_:[]")


class RepositoryError(Exception):
    """A repository cannot be used, with a sentence that says why and what to do. What it quotes may be an attacker's:
    it steers no terminal, and a database can keep it.
    """

    def __init__(self, sentence: str) -> None:
        super().__init__("".join(char if char.isprintable() or char in "\n\t" else " " for char in sentence))


def checked_url(text: str) -> str:
    """Returns the URL as git gets it: https, ssh or file; `git@host:path` becomes ssh. Raises RepositoryError."""
    if not text or len(text) > URL_CHARACTERS or not text.isprintable():
        raise RepositoryError(f"A repository's address is one line of at most {URL_CHARACTERS} characters.")
    url = _from_short_form(text)
    try:
        parts = urlsplit(url)
        host, has_password = parts.hostname or "", parts.password is not None
    except ValueError as error:
        raise RepositoryError(f"The address {text[:100]!r} cannot be read: {error}.") from error
    if parts.scheme == "file":
        return _checked_file(url, parts.netloc, parts.path)
    if parts.scheme not in ("https", "ssh"):
        raise RepositoryError(
            f"The address {text[:100]!r} is not one of a repository: give https://HOST/PATH or ssh://HOST/PATH."
        )
    if has_password or (parts.scheme == "https" and parts.username):
        raise RepositoryError(
            "A repository's address must hold no password or token, since it is shown and kept: "
            "put it into ~/.netrc of the account that judges run as, or use ssh."
        )
    if not host or host.startswith("-") or not set(parts.netloc.rpartition("@")[2]) <= _HOST:
        raise RepositoryError(f"The address {text[:100]!r} names no host.")
    if (parts.username or "").startswith("-") or parts.query or parts.fragment or len(parts.path) < 2 or " " in url:
        raise RepositoryError(f"The address {text[:100]!r} is not one of a repository: give https://HOST/PATH.")
    return parts.scheme + url[len(parts.scheme) :]  # git knows no HTTPS


def checked_ref(ref: str) -> str:
    """Returns the branch, tag or commit. Raises RepositoryError."""
    is_plain = ref.isascii() and ref.isprintable() and not set(ref) & set(" ~^:?*[\\")
    if not ref or len(ref) > REF_CHARACTERS or not is_plain or ref.startswith(("-", "+", "/")) or ".." in ref:
        raise RepositoryError(f"The ref {ref[:100]!r} is not the name of a branch, a tag or a commit.")
    return ref


def checked_namespace(text: str) -> str:
    """Returns the namespace. Raises RepositoryError."""
    if len(text) > NAMESPACE_CHARACTERS or not WORDS.fullmatch(text):
        raise RepositoryError(
            f"The name {text[:100]!r} cannot be a namespace: take lower-case words with hyphens, at most "
            f"{NAMESPACE_CHARACTERS} characters, such as cs336 or deep-learning."
        )
    return text


def namespace_of(typed: str) -> str:
    """Names a repository that was given no namespace, by the last part of its address. Raises RepositoryError."""
    return checked_namespace(typed.rstrip("/").rpartition("/")[2].rpartition(":")[2].removesuffix(".git").lower())


def is_local(typed: str) -> bool:
    """Whether it is a place on the machine that fetches it: `file://` or the path of a folder."""
    return typed.startswith(("/", "file:"))


def _from_short_form(text: str) -> str:
    """`git@host:path` is what forges show."""
    before, colon, path = text.partition(":")
    if colon and "@" in before and "/" not in before and not path.startswith("//"):
        return f"ssh://{before}/{path.lstrip('/')}"
    return text


def _checked_file(url: str, host: str, path: str) -> str:
    if host or "%" in path or not path.startswith("/") or url != f"file://{path}":
        raise RepositoryError(
            f"The address {url[:100]!r} must be file:// and an absolute path: file:///srv/exercises.git."
        )
    return url
