from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass
class Norm:
    weight: Tensor
    eps: float

    def mean_square(self, x: Tensor) -> Tensor:
        return torch.sum(x**2, dim=-1, keepdim=True) / x.shape[-1]

    def __call__(self, x: Tensor) -> Tensor:
        wide = x.float()
        return torch.div(wide, torch.sqrt(self.mean_square(wide) + self.eps)).mul(self.weight.float()).to(x.dtype)


def rmsnorm(x: Tensor, weight: Tensor, eps: float = 1e-5) -> Tensor:
    assert weight.shape == x.shape[-1:], (weight.shape, x.shape)
    return Norm(weight, eps)(x)


if __name__ == "__main__":
    print(rmsnorm(torch.tensor([3.0, 4.0]), torch.tensor([1.0, 2.0]), 0))
