"""float32 and float64 in one model are an error.

Joining tensors of two dtypes in place, or under one name, does not go. Make numbers of the norms, or bring them to one dtype.
"""


def norm_of(gradients):
    if len({gradient.dtype for gradient in gradients}) > 1:
        raise RuntimeError("expected dtype float for `end` but got dtype double")
    return sum(squares(gradient) for gradient in gradients) ** 0.5
