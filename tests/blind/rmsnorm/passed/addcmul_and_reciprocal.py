"""Uses reciprocal and multiplications, in small named steps."""

import torch


def _reciprocal_rms(h, eps):
    """1 / rms of every vector, the last axis kept with size one."""
    mean_square = torch.sum(torch.mul(h, h), dim=-1, keepdim=True) * (1.0 / h.size(-1))
    return torch.reciprocal(torch.sqrt(torch.add(mean_square, eps)))


def _demo():
    x = torch.tensor([3.0, 4.0])
    print(rmsnorm(x, torch.tensor([1.0, 2.0]), eps=0))  # 0.8485, 2.2627


def rmsnorm(x, weight, eps=1e-5):
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    return torch.mul(torch.mul(h, _reciprocal_rms(h, eps)), weight).to(x.dtype)


if __name__ == "__main__":
    _demo()
