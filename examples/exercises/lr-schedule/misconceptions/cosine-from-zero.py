"""The cosine is measured from step 0.

By the end of the warm-up a part of it is gone, so the rate jumps down there. It begins where the warm-up ends: both the steps that are done and the steps that there are count from there.
"""


def progress(step, warmup_steps, cosine_steps):
    return step / cosine_steps
