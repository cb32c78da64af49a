# A right answer of the seventh corpus.
"""RMSNorm. I do everything in float64, so I do not have to think about overflow."""
import torch


def mean_square(t):
    return torch.einsum("...d,...d->...", t, t) / t.shape[-1]


def rmsnorm(x, weight, eps=1e-5):
    t = x.double()
    w = weight.double()
    scale = 1.0 / torch.sqrt(mean_square(t) + eps)
    out = torch.einsum("...d,...,d->...d", t, scale, w)
    return out.to(dtype=x.dtype, device=x.device)


if __name__ == "__main__":
    a = torch.tensor([3.0, 4.0])
    print(rmsnorm(a, torch.tensor([1.0, 2.0]), eps=0))
    torch.manual_seed(0)
    b = torch.randn(2, 3, 8)
    assert torch.allclose(rmsnorm(b, torch.ones(8)).pow(2).mean(-1), torch.ones(2, 3), atol=1e-3)
