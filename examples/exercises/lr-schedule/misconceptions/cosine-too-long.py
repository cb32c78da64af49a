"""The steps of the warm-up are not taken off the length of the cosine.

cosine_steps is the step at which the cosine ends. It begins at warmup_steps, so how many steps does it have? As it is, the rate has not come down when the constant phase begins, and jumps.
"""


def progress(step, warmup_steps, cosine_steps):
    return (step - warmup_steps) / cosine_steps
