"""There is no warm-up.

The rate is 0 until the warm-up should be over, and nothing is learned in these steps. It should rise from step to step; if you divide, `//` drops what is behind the point.
"""


def warmed_up(step, warmup_steps):
    return step // warmup_steps
