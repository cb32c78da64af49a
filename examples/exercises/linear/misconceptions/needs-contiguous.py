"""An x that is not contiguous is rejected.

view depends on how numbers lie in memory, and rejects many transposed and expanded tensors. reshape accepts any of
them.
"""


def applied(x, weight):
    return (x.view(-1, x.shape[-1]) @ weight.T).view(*x.shape[:-1], weight.shape[0])
