"""token_positions is ignored.

Your code counts 0, 1, 2, ... whatever positions it is given. Positions may start anywhere, have gaps, or come in any
order; only the given values say where a token is. (Counting up from the first position has the same effect.)
"""


def resolve_positions(token_positions, x):
    return torch.arange(x.shape[-2], device=x.device)
