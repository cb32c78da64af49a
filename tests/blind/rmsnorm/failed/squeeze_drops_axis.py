"""A batch axis is put in front and squeezed away again, also when the caller's own first axis has size 1."""
# expect: loses axes of size one
import torch


def rmsnorm(x, weight, eps=1e-5):
    up = torch.float64 if x.dtype == torch.float64 else torch.float32
    rows = x.to(up).unsqueeze(0) if x.dim() == 1 else x.to(up)
    scale = torch.rsqrt(torch.mean(rows * rows, dim=-1, keepdim=True) + eps)
    out = rows * scale * weight.to(up)
    return out.squeeze(0).to(x.dtype)
