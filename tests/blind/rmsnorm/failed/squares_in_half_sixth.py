"""The squares are taken in the dtype of the input and only then upcast: 300 squared is infinite in float16."""
# expect: squares overflow in float16
import torch


def rmsnorm(x, weight, eps=1e-5):
    sq = x.pow(2)
    rms = torch.sqrt(sq.to(torch.promote_types(x.dtype, torch.float32)).mean(dim=-1, keepdim=True) + eps)
    return (x.to(rms.dtype) / rms * weight.to(rms.dtype)).to(x.dtype)
