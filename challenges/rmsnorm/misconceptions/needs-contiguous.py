"""A non-contiguous x is rejected.

`view` depends on how the numbers lie in memory, and rejects many transposed and expanded tensors. `reshape` and
`flatten` accept any of them, and the mean over the last axis needs neither.
"""


def widen(x):
    return x.view(-1, x.shape[-1]).view(x.shape).to(torch.promote_types(x.dtype, torch.float32))
