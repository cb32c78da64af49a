"""A kind of exception, recognised by its message, and what it means for the student whose code raised it.

Messages come from the student's process and may be forged: they only ever become part of a text.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

# Exceptions say what they mean at their beginning; some patterns take long for a long text that means nothing.
LOOKED_AT = 500
Sentence = str | Callable[[re.Match[str]], str]


@dataclass(frozen=True)
class Meaning:
    """Exceptions of one kind: what their message looks like, and what it means. `\\1` stands for the first group."""

    pattern: re.Pattern[str]
    sentence: Sentence

    def of(self, message: str) -> str | None:
        """The sentence for this message, or None where it is of another kind."""
        found = self.pattern.search(message[:LOOKED_AT])
        if found is None:
            return None
        return self.sentence(found) if callable(self.sentence) else found.expand(self.sentence)


def meanings(*pairs: tuple[str, Sentence]) -> tuple[Meaning, ...]:
    """A meaning for each pattern, whatever the case of its letters, and sentence."""
    return tuple(Meaning(re.compile(pattern, re.IGNORECASE), sentence) for pattern, sentence in pairs)
