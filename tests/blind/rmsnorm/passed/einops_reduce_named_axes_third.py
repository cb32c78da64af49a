"""RMSNorm with einops: the mean of the squares is a reduction over the axis named d."""

from einops import rearrange, reduce
from torch import Tensor


def rmsnorm(x: Tensor, weight: Tensor, eps: float = 1e-5) -> Tensor:
    wide = x if x.element_size() == 8 else x.float()
    power = reduce(wide * wide, "... d -> ...", "mean")
    root = rearrange((power + eps).sqrt(), "... -> ... 1")
    return (wide / root).to(dtype=x.dtype) * weight
