"""Something from an earlier call is used again.

What is kept between calls (a table of cosines, a mask, weights) must know all that it was made from: theta, sizes,
positions, the weights themselves. Yours reaches calls that it is wrong for.
"""


def pair_frequencies(d_k, theta, _tables={}):  # noqa: B006  the mistake itself
    if d_k not in _tables:
        _tables[d_k] = theta ** (-torch.arange(0, d_k, 2, dtype=torch.float64) / d_k)
    return _tables[d_k]
