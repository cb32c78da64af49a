"""Rotation angles of an earlier call are used again, though theta is another one.

They are kept by the sizes alone. Whatever is kept has to be looked up by all that it depends on, or computed anew.
"""

_KEPT = {}


def pair_angles(positions, d_head, theta):
    key = (len(positions), d_head)
    if key not in _KEPT:
        _KEPT[key] = positions[..., None] * theta ** (-torch.arange(0, d_head, 2, dtype=torch.float64) / d_head)
    return _KEPT[key]
