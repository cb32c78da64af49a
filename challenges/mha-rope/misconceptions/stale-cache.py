"""Something from an earlier call is reused.

Anything kept between calls (a table of cosines, a mask, weights) must be keyed by everything it was made from: theta,
sizes, positions, the weights themselves. Yours is reused in calls that it does not fit.
"""


def pair_frequencies(d_k, theta, _tables={}):  # noqa: B006  the mistake itself
    if d_k not in _tables:
        _tables[d_k] = theta ** (-torch.arange(0, d_k, 2, dtype=torch.float64) / d_k)
    return _tables[d_k]
