"""Without token_positions, the code raises an error.

token_positions may be left out, or be None: the positions are then 0, 1, ..., seq-1. Create them yourself before you
use them.
"""


def resolve_positions(token_positions, x):
    if token_positions is None:
        raise ValueError("token_positions are missing")
    return token_positions
