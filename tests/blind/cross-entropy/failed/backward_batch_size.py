"""The hand-written gradient is divided by the first axis only, not by all positions."""
import torch


class _XEnt(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits, targets):
        x = logits.double()
        x = x - x.amax(-1, keepdim=True)
        e = torch.exp(x)
        s = e.sum(-1, keepdim=True)
        idx = targets.unsqueeze(-1)
        ctx.save_for_backward(e / s, idx)
        ctx.dtype = logits.dtype
        return (s.log() - torch.take_along_dim(x, idx, -1)).mean().to(logits.dtype)

    @staticmethod
    def backward(ctx, g):
        p, idx = ctx.saved_tensors
        one = torch.zeros_like(p).scatter_(-1, idx, 1.0)
        n = p.shape[0] if p.dim() > 1 else 1
        return (g.double() * (p - one) / n).to(ctx.dtype), None


def cross_entropy(logits, targets):
    return _XEnt.apply(logits, targets)
