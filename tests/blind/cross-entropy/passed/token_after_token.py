"""A right cross-entropy that streams over the vocabulary with a running sum, and finds the target's logit by comparing numbers on the way."""
import torch


def cross_entropy(x, t):
    wide = torch.promote_types(x.dtype, torch.float32)
    with torch.no_grad():
        top = x.to(wide).max(-1).values
    total = torch.zeros_like(top, dtype=torch.float64)
    hit = torch.zeros_like(top, dtype=torch.float64)
    for number, column in enumerate(x.to(wide).unbind(-1)):
        z = (column - top).double()
        total = total + z.exp()
        hit = torch.where(t == number, z, hit)
    return torch.mean(total.log() - hit).to(x.dtype)
