"""Wrong: a negative dim is turned into dim + ndim - 1, one axis too far to the front, when the tensor has more than one axis."""


def softmax(x, dim):
    if dim < 0 and x.ndim > 1:
        dim = (dim + x.ndim - 1) % x.ndim
    e = (x - x.amax(dim, keepdim=True)).exp()
    return e / e.sum(dim, keepdim=True)
