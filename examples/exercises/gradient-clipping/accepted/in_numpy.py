"""NumPy arrays that lie in the gradients' memory."""

import numpy as np


class Clipper:
    def __init__(self, max_norm, eps):
        self.max_norm, self.eps = max_norm, eps

    def __call__(self, arrays):
        norm = np.sqrt(np.sum([np.vdot(a, a) for a in map(np.ascontiguousarray, arrays)], dtype=np.float64))
        if norm <= self.max_norm:
            return
        for array in arrays:
            np.multiply(array, self.max_norm / (norm + self.eps), out=array, casting="same_kind")


def clip_gradients(parameters, max_norm, eps=1e-6):
    Clipper(max_norm, eps)([p.grad.numpy() for p in parameters if p.grad is not None])
