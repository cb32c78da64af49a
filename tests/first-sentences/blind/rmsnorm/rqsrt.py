# Says: torch has no `rqsrt`: in `out = x * torch.rqsrt(ms + eps)` you mean `torch.rsqrt`.
# Line: 12
# Names: rqsrt, rsqrt
# Kind: crash
import torch


def rmsnorm(x, weight, eps=1e-5):
    in_dtype = x.dtype
    x = x.to(torch.float32)
    ms = x.pow(2).mean(dim=-1, keepdim=True)
    out = x * torch.rqsrt(ms + eps)
    return (out * weight.to(torch.float32)).to(in_dtype)
