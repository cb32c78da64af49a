"""What a zygote imports ahead though few submissions need it: einx and torch's compiler, a second and a half.

A zygote without them serves any submission too: what it names it imports itself, in its own time. Knows no torch.
"""

import re
from collections.abc import Iterable
from typing import Final

# einx, and what of torch brings its compiler or is changed when that is imported.
_NAMES: Final = re.compile(
    rb"\b(einx|functorch|_?dynamo|compiler?|checkpoint|optim|jit|fx|export|custom_op|distributions|flex_attention)\b"
)


def is_needed_by(sources: Iterable[bytes]) -> bool:
    """Whether one of these files may use it, by the words in them."""
    return any(_NAMES.search(source) for source in sources)
