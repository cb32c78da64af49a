"""A right answer of the seventh corpus."""
import torch


class RMSNormFn(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, eps):
        acc = torch.promote_types(x.dtype, torch.float32)
        xf, wf = x.to(acc), weight.to(acc)
        inv = (xf.square().mean(dim=-1, keepdim=True) + eps).rsqrt()
        ctx.save_for_backward(x, weight, inv)
        return (xf * inv * wf).to(x.dtype)

    @staticmethod
    def backward(ctx, grad):
        x, weight, inv = ctx.saved_tensors
        acc = inv.dtype
        xhat = x.to(acc) * inv
        g = grad.to(acc)
        gx = gw = None
        if ctx.needs_input_grad[0]:
            h = g * weight.to(acc)
            gx = (inv * (h - xhat * (h * xhat).mean(dim=-1, keepdim=True))).to(x.dtype)
        if ctx.needs_input_grad[1]:
            gw = (g * xhat).reshape(-1, x.shape[-1]).sum(0).to(weight.dtype)
        return gx, gw, None


def rmsnorm(x, weight, eps=1e-5):
    return RMSNormFn.apply(x, weight, eps)
