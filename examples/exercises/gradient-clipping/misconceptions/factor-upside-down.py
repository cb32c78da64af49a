"""The factor is upside down.

Gradients that are too long become longer still. Which of the two is larger, the norm or max_norm?
"""


def factor(norm, max_norm, eps):
    return (norm + eps) / max_norm if max_norm else norm
