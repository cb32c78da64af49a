"""A right softmax: subtracts the maximum of each row, takes exponentials, divides by their sum."""


def softmax(x, dim):
    e = (x - x.amax(dim, keepdim=True)).exp()
    return e / e.sum(dim, keepdim=True)
