"""An x that is not contiguous is rejected.

view depends on how numbers lie in memory, and rejects many transposed and expanded tensors. reshape and flatten
accept any of them.
"""


def widen(x):
    return x.view(-1).view(x.shape).to(torch.promote_types(x.dtype, torch.float32))
