"""Right: a port of a CUDA kernel as an autograd.Function, forward and backward written by hand."""
import torch


class _RmsNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, eps):
        work = torch.double if x.dtype == torch.double else torch.float
        xf = x.to(work)
        rstd = torch.rsqrt(xf.mul(xf).sum(-1, keepdim=True) / xf.size(-1) + eps)
        ctx.save_for_backward(x, weight, rstd)
        return (xf * rstd * weight.to(work)).to(x.dtype)

    @staticmethod
    def backward(ctx, dy):
        x, weight, rstd = ctx.saved_tensors
        work = rstd.dtype
        xhat = x.to(work) * rstd
        g = dy.to(work)
        dx = dw = None
        if ctx.needs_input_grad[0]:
            gw = g * weight.to(work)
            dx = rstd * (gw - xhat * (gw * xhat).mean(-1, keepdim=True))
            dx = dx.to(x.dtype)
        if ctx.needs_input_grad[1]:
            dw = (g * xhat).reshape(-1, x.size(-1)).sum(0).to(weight.dtype)
        return dx, dw, None


def rmsnorm(x, weight, eps=1e-5):
    return _RmsNorm.apply(x, weight, eps)
