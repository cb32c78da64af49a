"""A batch axis is added when there is none.

Your code expects a batch of sequences, so it adds axes in front of inputs that have fewer, and leaves them there. The
result has the shape of x.
"""


def narrow(y, x):
    return (y[None] if y.dim() == 2 else y[None, None] if y.dim() == 1 else y).to(x.dtype)
