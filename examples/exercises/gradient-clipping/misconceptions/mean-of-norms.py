"""The norm is a mean over the parameters.

With more parameters the norm becomes larger: it is the length of one vector that holds all of them, and not how long they are on average.
"""


def norm_of(gradients):
    return (sum(squares(gradient) for gradient in gradients) / max(1, len(gradients))) ** 0.5
