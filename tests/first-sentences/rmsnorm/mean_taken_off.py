# Says: RMSNorm takes no mean off; that is LayerNorm.
# Line: 11 or 13
# Names: mean
# Truth: mean-subtracted
import torch


def rmsnorm(x, weight, eps=1e-5):
    dtype = x.dtype
    x = x.to(torch.float32) if dtype in (torch.float16, torch.bfloat16) else x
    x = x - x.mean(dim=-1, keepdim=True)
    mean_square = x.pow(2).mean(dim=-1, keepdim=True)
    normed = x * torch.rsqrt(mean_square + eps)
    return (normed * weight).to(dtype)
