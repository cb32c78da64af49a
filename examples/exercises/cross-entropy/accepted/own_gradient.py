"""With a backward pass of its own: probabilities less 1 at the target."""

import torch


class CrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits, targets):
        x = logits.float()
        below = x - x.amax(-1, keepdim=True)
        e = torch.exp(below)
        z = e.sum(-1, keepdim=True)
        index = targets.unsqueeze(-1)
        ctx.save_for_backward(e / z, index)
        return (z.log() - below.gather(-1, index)).mean().to(logits.dtype)

    @staticmethod
    def backward(ctx, gradient):
        probabilities, index = ctx.saved_tensors
        minus_one = torch.full_like(index, -1.0, dtype=probabilities.dtype)
        slope = probabilities.scatter_add(-1, index, minus_one)
        return (slope * (gradient.float() / index.numel())).to(gradient.dtype), None


def cross_entropy(logits, targets):
    return CrossEntropy.apply(logits, targets)
