"""token_positions is changed.

-= writes into the caller's tensor: the next layer would get other positions. Write the difference to a name of its
own.
"""


def resolve_positions(token_positions, x):
    if token_positions is None:
        return torch.arange(x.shape[-2], device=x.device)
    token_positions -= token_positions.min()
    return token_positions
