"""The cosine goes on for a step too long.

Step cosine_steps gets min_lr, which is where the wave arrives. Yours arrives there one step later.
"""


def progress(step, warmup_steps, cosine_steps):
    return (step - warmup_steps) / (cosine_steps - warmup_steps + 1)
