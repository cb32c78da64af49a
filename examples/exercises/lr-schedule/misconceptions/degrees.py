"""The angle is in degrees.

`math.cos` takes radians. Half a wave is pi, not 180.
"""


def falling(share):
    return 0.5 * (1 + math.cos(180 * share))
