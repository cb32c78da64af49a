"""The bias correction is the same in every step.

It divides by 1 - beta whatever the number of steps. That is right for the first step; after it, the averages hold more of the gradients, and the correction should fade.
"""


def corrected(average, beta, count):
    return average / (1 - beta)
