"""Without token_positions, the code stops.

token_positions may be left out, or be None: then the tokens stand at 0, 1, ..., seq-1. Make these positions yourself
before you use them.
"""


def resolve_positions(token_positions, x):
    if token_positions is None:
        raise ValueError("token_positions are missing")
    return token_positions
