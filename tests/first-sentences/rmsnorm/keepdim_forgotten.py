# Says: Without keepdim=True the root does not fit x.
# Line: 11
# Names: axis
# Truth: keepdim-missing
import torch


def rmsnorm(x, weight, eps=1e-5):
    dtype = x.dtype
    x = x.to(torch.float32) if dtype in (torch.float16, torch.bfloat16) else x
    mean_square = x.pow(2).mean(dim=-1)
    normed = x * torch.rsqrt(mean_square + eps)
    return (normed * weight).to(dtype)
