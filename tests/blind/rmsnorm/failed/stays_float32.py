"""For half precision the result stays in float32 instead of the dtype of x."""
import torch


def rmsnorm(x, weight, eps=1e-5):
    """Computed in float32 for stability."""
    if x.dtype in (torch.float16, torch.bfloat16):
        x = x.float()
        weight = weight.float()
    variance = x.pow(2).mean(-1, keepdim=True)
    x = x * torch.rsqrt(variance + eps)
    return weight * x
