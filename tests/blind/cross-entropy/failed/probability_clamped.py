"""Wrong: the probability is kept above 1e-9 before the logarithm, so no loss exceeds 20.7."""
import torch


def cross_entropy(logits, targets):
    wide = torch.promote_types(logits.dtype, torch.float32)
    z = logits.to(wide)
    e = torch.exp(z - z.amax(-1, keepdim=True))
    p = (e / e.sum(-1, keepdim=True)).clamp(min=1e-9)
    return -p.gather(-1, targets[..., None]).log().mean().to(logits.dtype)
