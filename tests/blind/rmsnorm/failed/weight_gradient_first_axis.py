"""In the hand-written backward the gradient of the weight is summed over the first axis only."""
import torch


class Norm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w, eps):
        xf = x.double()
        inv = (xf.square().mean(-1, keepdim=True) + eps).rsqrt()
        ctx.save_for_backward(x, w, inv)
        return (xf * inv * w.double()).to(x.dtype)

    @staticmethod
    def backward(ctx, g):
        x, w, inv = ctx.saved_tensors
        n = x.double() * inv
        gd = g.double()
        gw = (gd * n).sum(0) if x.dim() > 1 else gd * n
        while gw.dim() > 1:
            gw = gw[0]
        h = gd * w.double()
        gx = inv * (h - n * (h * n).mean(-1, keepdim=True))
        return gx.to(x.dtype), gw.to(w.dtype), None


def rmsnorm(x, weight, eps=1e-5):
    return Norm.apply(x, weight, eps)
