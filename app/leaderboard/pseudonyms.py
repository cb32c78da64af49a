"""What somebody may be called on a leaderboard, and names to offer. Knows no database."""

import re
import secrets
from typing import Final

from app.accounts.names import is_name, name_key
from app.models import User

LENGTH_MIN: Final = 3
LENGTH_MAX: Final = 30
NOT_A_PSEUDONYM: Final = (
    f"Use {LENGTH_MIN} to {LENGTH_MAX} letters, digits, spaces and . _ @ + -, with no dot first or last, and no word "
    "that mixes alphabets."
)
NAMES_YOU: Final = "This tells who you are. Choose a pseudonym without your name or login."
_WORD: Final = re.compile(r"[^\W_]+")
_TELLING: Final = 3  # letters of a name: a shorter one stands in too many words
_FIRST: Final = (
    *("amber", "brisk", "calm", "clever", "crimson", "dapper", "eager", "fearless", "gentle", "golden", "hidden"),
    *("indigo", "jolly", "keen", "lively", "lucky", "mellow", "nimble", "patient", "quiet", "rapid", "silver"),
    *("sturdy", "swift", "tidy", "vivid", "wandering", "witty"),
)
_SECOND: Final = (
    *("albatross", "badger", "beetle", "bison", "crane", "dolphin", "falcon", "ferret", "gecko", "heron", "ibex"),
    *("jackdaw", "kestrel", "lemur", "lynx", "magpie", "marten", "newt", "otter", "owl", "panther", "puffin"),
    *("raven", "salmon", "swallow", "tapir", "toad", "walrus", "wombat"),
)


def offered() -> str:
    """Returns a pseudonym by chance, which tells nothing of anybody."""
    return f"{secrets.choice(_FIRST)} {secrets.choice(_SECOND)} {secrets.randbelow(90) + 10}"


def refusal(pseudonym: str, user: User, full_names: list[str]) -> str | None:
    """Returns what is wrong with the pseudonym; None when this person may have it. `full_names` are those by which
    their courses know them.
    """
    if not LENGTH_MIN <= len(pseudonym) <= LENGTH_MAX or not is_name(pseudonym):
        return NOT_A_PSEUDONYM
    own = _told_by(user, full_names)
    words = {name_key(word) for word in _WORD.findall(pseudonym)}
    together = name_key("".join(_WORD.findall(pseudonym)))
    if words & own or any(len(name) >= _TELLING and name in together for name in own):
        return NAMES_YOU
    return None


def _told_by(user: User, full_names: list[str]) -> set[str]:
    """The login and the names of a person, whole and word by word, and what stands before the @ of their address."""
    names = [user.name, user.full_name or "", (user.email or "").partition("@")[0], *full_names]
    words = [word for name in names for word in (*_WORD.findall(name), "".join(_WORD.findall(name)))]
    return {name_key(word) for word in words if len(word) > 1}
