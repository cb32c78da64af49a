"""RMSNorm as an autograd function that scales its float32 copy in place.

Wrong: for float32 (and float64) `to` makes no copy, so the caller's x is overwritten.
Condition: float32 or float64; half precision is right.
Spec: "neither of them is changed"
"""

import torch


class _Norm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, eps):
        acc = torch.promote_types(x.dtype, torch.float32)
        h = x.detach().to(acc)
        inv = torch.rsqrt(h.square().mean(-1, keepdim=True) + eps)
        # an expanded view has several features in one place: those need a copy
        if 0 in h.stride():
            h = h.clone()
        h.mul_(inv)
        ctx.save_for_backward(h.clone(), weight.detach().clone(), inv)
        return (h * weight.to(acc)).to(x.dtype)

    @staticmethod
    def backward(ctx, grad):
        h, weight, inv = ctx.saved_tensors
        g = grad.to(h.dtype)
        gu = g * weight.to(h.dtype)
        gx = inv * (gu - h * (gu * h).mean(-1, keepdim=True))
        gw = (g * h).reshape(-1, h.shape[-1]).sum(0)
        return gx.to(grad.dtype), gw.to(weight.dtype), None


def rmsnorm(x, weight, eps=1e-5):
    return _Norm.apply(x, weight, eps)
