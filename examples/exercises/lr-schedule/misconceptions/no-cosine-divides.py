"""Without a cosine it divides by zero.

Where cosine_steps equals warmup_steps, the cosine has no steps, so its formula must not be reached. Which phase does step cosine_steps belong to?
"""


def is_over(step, cosine_steps):
    return step > cosine_steps
