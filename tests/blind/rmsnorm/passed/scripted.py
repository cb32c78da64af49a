"""A right answer of the seventh corpus."""
import torch


@torch.jit.script
def _rms(x: torch.Tensor, eps: float) -> torch.Tensor:
    s = torch.zeros_like(x[..., :1])
    s = s + (x * x).sum(-1, keepdim=True)
    return torch.sqrt(s / x.size(-1) + eps)


def rmsnorm(x, weight, eps=1e-5):
    with torch.autocast(x.device.type, enabled=False):
        up = x.float() if x.dtype in (torch.half, torch.bfloat16) else x
        out = up / _rms(up, float(eps))
        out = out * weight.to(up.dtype)
    return out if out.dtype == x.dtype else out.to(x.dtype)
