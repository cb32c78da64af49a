"""Python's tokens of a source that a stranger wrote, in time that grows with its length and no faster."""

import io
import tokenize
from collections.abc import Iterator
from typing import Final

LONGEST: Final = 1 << 16  # characters that are read: many times what a solution has


class NoPython(ValueError):
    """What is no sequence of Python's tokens, or is too long to be read as one, has no logical lines."""


def tokens_of(source: str) -> Iterator[tokenize.TokenInfo]:
    """Raises NoPython, also when some tokens have been given.

    Behind what is no token, such as a quote that nothing closes, `tokenize` goes on and reads the rest of the line
    anew: 64 KiB took 50 s. So here it is the end.
    """
    if len(source) > LONGEST:
        raise NoPython(f"{len(source)} characters")
    try:
        for token in tokenize.generate_tokens(io.StringIO(source, newline=None).readline):
            if token.type == tokenize.ERRORTOKEN:
                raise NoPython(f"line {token.start[0]}: {token.string[:20]!r}")
            yield token
    except (tokenize.TokenError, SyntaxError) as error:
        raise NoPython(str(error)) from error
