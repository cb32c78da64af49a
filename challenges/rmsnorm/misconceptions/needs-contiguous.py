"""An x that is not contiguous is refused.

view asks how numbers lie in memory, and refuses many transposed and expanded tensors. reshape and flatten take them all, and
the mean over the last axis needs neither.
"""


def widen(x):
    return x.view(-1, x.shape[-1]).view(x.shape).to(torch.promote_types(x.dtype, torch.float32))
