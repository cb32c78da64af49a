"""The cosine lacks pi.

Its argument goes from 0 to 1, where the cosine is still 0.54: the rate hardly falls, and jumps at the end. Half a wave is pi long.
"""


def falling(share):
    return 0.5 * (1 + math.cos(share))
