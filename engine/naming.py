"""What exercises are called: no such name leads out of a folder or an address. Knows no server and no file."""

from typing import Final

_WORD: Final = r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}"
SLUG: Final = rf"({_WORD}\.)?{_WORD}"  # those of an exercise repository have its namespace before a dot
