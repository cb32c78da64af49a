"""RMSNorm as an autograd.Function that asks about the wrong input.

Wrong: needs_input_grad[0] decides about both gradients.
When: only the gradient of weight is asked for.
Spec: «what is asked for: the gradients of `x`, of `weight`, and of both, in every dtype»
"""
import torch


class _Fn(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w, eps):
        h = x.float()
        inv = torch.rsqrt(h.pow(2).mean(-1, keepdim=True) + eps)
        ctx.save_for_backward(x, w, inv)
        return (h * inv * w.float()).to(x.dtype)

    @staticmethod
    def backward(ctx, g):
        x, w, inv = ctx.saved_tensors
        if not ctx.needs_input_grad[0]:
            return None, None, None
        g, n = g.float(), x.float() * inv
        gw = g * w.float()
        dx = inv * (gw - n * (gw * n).mean(-1, keepdim=True))
        dw = (g * n).reshape(-1, n.shape[-1]).sum(0)
        return dx.to(x.dtype), dw.to(w.dtype), None


def rmsnorm(x, weight, eps=1e-5):
    return _Fn.apply(x, weight, eps)
