"""A right cross-entropy whose backward pass is the known formula: probabilities minus one at the target, divided by the number of positions."""
import torch


class CrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits, targets):
        wide = logits.float() if logits.dtype.itemsize == 2 else logits
        z = wide - wide.max(dim=-1, keepdim=True).values
        e = z.exp()
        total = e.sum(-1, keepdim=True)
        index = targets[..., None]
        ctx.save_for_backward(e / total, index)
        loss = (total.log() - torch.take_along_dim(z, index, -1)).mean()
        return loss.to(logits.dtype)

    @staticmethod
    def backward(ctx, grad):
        p, index = ctx.saved_tensors
        ones = torch.ones(index.shape, dtype=p.dtype, device=p.device)
        d = p.scatter_add(-1, index, -ones) / index.numel()
        return (d * grad.to(p.dtype)).to(grad.dtype), None


def cross_entropy(logits, targets):
    return CrossEntropy.apply(logits, targets)
