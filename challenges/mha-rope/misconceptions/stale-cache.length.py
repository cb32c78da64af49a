"""A table of a different length is reused.

It was made for the sequence of an earlier call. A cache must be keyed by everything it depends on; here the length is
missing.
"""


def resolve_positions(token_positions, x, _positions=[]):  # noqa: B006  the mistake itself
    if token_positions is not None:
        return token_positions
    if not _positions:
        _positions.append(torch.arange(x.shape[-2], device=x.device))
    return _positions[0]
