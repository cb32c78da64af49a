"""Axes of size 1 are dropped from the positions.

squeeze() without an axis takes all of them away: the tokens' axis where there is one token, a batch's where there is one sequence.
What is left is matched with other axes. Positions keep the axes that they have.
"""


def resolve_positions(token_positions, x):
    return torch.arange(x.shape[-2]) if token_positions is None else torch.atleast_1d(token_positions.squeeze())
