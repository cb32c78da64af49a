"""RMSNorm as an autograd.Function with .mean(0) in its backward.

Wrong: the gradient of weight is divided by the number of vectors.
When: more than one vector, and the gradient of weight is asked for.
Spec: «Values and gradients against a float64 reference»
"""
import torch


class F(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, eps):
        h = x.float()
        r = torch.sqrt(h.pow(2).mean(-1, keepdim=True) + eps)
        ctx.save_for_backward(h, weight, r)
        ctx.dtype = x.dtype
        return (h / r * weight.float()).to(x.dtype)

    @staticmethod
    def backward(ctx, g):
        h, weight, r = ctx.saved_tensors
        g = g.float()
        gw = g * weight.float()
        d = h.shape[-1]
        gx = gw / r - h * (gw * h).sum(-1, keepdim=True) / (d * r ** 3)
        return gx.to(ctx.dtype), (g * h / r).reshape(-1, d).mean(0).to(weight.dtype), None


rmsnorm_ = F.apply


def rmsnorm(x, weight, eps=1e-5):
    return rmsnorm_(x, weight, eps)
