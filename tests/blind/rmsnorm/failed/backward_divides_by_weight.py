"""RMSNorm that saves its output instead of its input.

Wrong: backward divides the output by the weight.
When: a weight is zero and gradients are asked for.
Spec: «`weight` may hold any numbers, zeros too»
"""
import torch


class SaveOutput(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w, eps):
        h, v = x.float(), w.float()
        inv = (h.square().mean(-1, keepdim=True) + eps).rsqrt()
        y = h * inv * v
        ctx.save_for_backward(y, v, inv)
        ctx.dtypes = x.dtype, w.dtype
        return y.to(x.dtype)

    @staticmethod
    def backward(ctx, grad):
        y, v, inv = ctx.saved_tensors
        n = y / v
        grad = grad.float()
        dn = grad * v
        dx = (dn - n * (dn * n).mean(-1, keepdim=True)) * inv
        dw = (grad * n).flatten(0, -2).sum(0) if n.dim() > 1 else grad * n
        return dx.to(ctx.dtypes[0]), dw.to(ctx.dtypes[1]), None


def rmsnorm(x, weight, eps=1e-5):
    return SaveOutput.apply(x, weight, eps)
