"""Axes of size 1 are dropped from the positions.

squeeze() without an axis removes all of them: the token axis when there is one token, a batch axis when there is one
sequence. What is left lines up with the wrong axes. Keep the axes of the positions as they are.
"""


def resolve_positions(token_positions, x):
    return torch.arange(x.shape[-2]) if token_positions is None else torch.atleast_1d(token_positions.squeeze())
