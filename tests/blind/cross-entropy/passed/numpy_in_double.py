"""A right cross-entropy with both passes in NumPy, behind an autograd function; probabilities are only used for the gradient."""
import numpy as np
import torch


class ImHintergrund(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits, ziele):
        z = logits.detach().double().numpy().reshape(-1, logits.shape[-1])
        t = ziele.numpy().reshape(-1)
        z = z - z.max(axis=1, keepdims=True)
        Σ = np.exp(z).sum(axis=1)
        zeilen = np.arange(len(t))
        ctx.p = np.exp(z) / Σ[:, None]
        ctx.p[zeilen, t] -= 1
        ctx.form = logits.shape
        return torch.tensor(np.mean(np.log(Σ) - z[zeilen, t])).to(logits.dtype)

    @staticmethod
    def backward(ctx, g):
        d = torch.from_numpy(ctx.p / len(ctx.p)).reshape(ctx.form)
        return (d * g.double()).to(g.dtype), None


def cross_entropy(logits, targets):
    return ImHintergrund.apply(logits, targets)
