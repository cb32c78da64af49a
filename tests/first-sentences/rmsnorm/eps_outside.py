# Says: eps belongs inside the root.
# Line: none
# Names: eps
# Truth: eps-outside-root
# Not yet: the name
import torch


def rmsnorm(x, weight, eps=1e-5):
    dtype = x.dtype
    x = x.to(torch.float32) if dtype in (torch.float16, torch.bfloat16) else x
    mean_square = x.pow(2).mean(dim=-1, keepdim=True)
    normed = x * torch.rsqrt(mean_square) + eps
    return (normed * weight).to(dtype)
