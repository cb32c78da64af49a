"""token_positions is changed.

-= writes into the caller's tensor, so the next layer would get different positions. Assign the difference to a new
name.
"""


def resolve_positions(token_positions, x):
    if token_positions is None:
        return torch.arange(x.shape[-2], device=x.device)
    token_positions -= token_positions.min()
    return token_positions
