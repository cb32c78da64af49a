"""einops.reduce for the mean, jaxtyping for the signature, and in-place steps on a private copy."""

import torch
from einops import reduce
from jaxtyping import Float
from torch import Tensor


def mean_of_squares(x: Float[Tensor, "*batch d"]) -> Float[Tensor, "*batch 1"]:
    return reduce(x * x, "... d -> ... 1", "mean")


def rmsnorm(x: Float[Tensor, "*batch d"], weight: Float[Tensor, "d"], eps: float = 1e-5) -> Float[Tensor, "*batch d"]:
    wide = x.to(torch.promote_types(x.dtype, torch.float32), copy=True)
    factor = mean_of_squares(wide)
    factor += eps
    factor = factor.rsqrt_()
    result = wide * factor
    result *= weight
    return result.to(x.dtype)


if __name__ == "__main__":
    print(rmsnorm(torch.tensor([3.0, 4.0]), torch.tensor([1.0, 2.0]), eps=0))
