"""A right clipping in plain Python: every number by itself, with math.fsum, and NumPy views for writing."""
import math
from itertools import chain


def numbers(array):
    return array.astype("float64").ravel().tolist()


def clip_gradients(parameters, max_norm, eps=1e-6):
    arrays = []
    for p in parameters:
        if p.grad is None:
            continue
        arrays.append(p.grad.detach().numpy())
    norm = math.sqrt(math.fsum(x * x for x in chain.from_iterable(map(numbers, arrays))))
    if norm > max_norm:
        shrink = max_norm / (norm + eps)
        for array in arrays:
            array *= array.dtype.type(shrink)
