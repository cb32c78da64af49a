"""The warm-up begins one step ahead.

Step 0 gets a share of the rate already, and the last step of the warm-up gets all of it. Steps are counted from 0, and the rate at step 0 is 0.
"""


def warmed_up(step, warmup_steps):
    return (step + 1) / warmup_steps
