"""The division drops what is behind the point.

`//` gives whole numbers, so the share of the cosine stays 0 until it is over. A share needs `/`.
"""


def progress(step, warmup_steps, cosine_steps):
    return (step - warmup_steps) // (cosine_steps - warmup_steps)
