"""A right answer of the seventh corpus."""
import torch

WORK = {torch.float16: torch.float32, torch.bfloat16: torch.float32}


def rmsnorm(x, weight, eps=1e-5):
    work = WORK.get(x.dtype, x.dtype)
    parts = torch.split(x.to(work), 3, dim=-1)
    total = parts[0].square().sum(-1)
    for part in parts[1:]:
        total = total + part.square().sum(-1)
    inverse = torch.pow(total / x.shape[-1] + eps, -0.5)
    return torch.mul(torch.mul(x.to(work), inverse[..., None]).to(x.dtype), weight)
