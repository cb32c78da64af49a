"""A table from an earlier call is used again.

A cache must know what it depends on: theta, d_head, positions, dtype and device. Yours gives the first call's table
to every later one.
"""


def pair_frequencies(d_k, theta, _tables={}):  # noqa: B006  the mistake itself
    if d_k not in _tables:
        _tables[d_k] = theta ** (-torch.arange(0, d_k, 2, dtype=torch.float64) / d_k)
    return _tables[d_k]
