"""A right answer of the seventh corpus."""
import torch


def rmsnorm(x, weight, eps=1e-5):
    # E[x^2] = Var[x] + E[x]^2: torch has a fused kernel for both halves
    original = x.dtype
    if original != torch.float64:
        x = x.to(torch.float32)
    var, mu = torch.var_mean(x, dim=-1, correction=0, keepdim=True)
    ms = var + mu**2
    x = x * (ms + eps) ** -0.5
    if original not in (torch.float32, torch.float64):
        x = x.to(original)
    return weight * x
