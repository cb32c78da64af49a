"""Multi-head attention with a masked softmax as an autograd.Function."""
import math

import torch


class MaskedSoftmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, scores, hidden):
        if hidden is not None:
            scores = scores.masked_fill(hidden, -math.inf)
        powers = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
        share = powers / powers.sum(dim=-1, keepdim=True)
        ctx.save_for_backward(share)
        return share

    @staticmethod
    def backward(ctx, grad):
        (share,) = ctx.saved_tensors
        return share * (grad - (grad * share).sum(dim=-1, keepdim=True)), None


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    d_head, rest = divmod(d_model, num_heads)
    if rest:
        raise ValueError
    in_heads = lambda x, w: (x @ w.t()).unflatten(2, (num_heads, d_head)).transpose(1, 2)
    Q, K, V = (in_heads(x, w) for x, w in zip((q, k, v), in_proj_weight.chunk(3)))
    if mask is not None:
        mask = mask.bool()
        mask = mask.view((1,) * (3 - mask.dim()) + tuple(mask.shape)).unsqueeze(1) if mask.is_contiguous() else (
            mask.unsqueeze(1) if mask.dim() == 3 else mask
        )
    share = MaskedSoftmax.apply(Q @ K.transpose(2, 3) / math.sqrt(d_head), mask)
    return (share @ V).transpose(1, 2).flatten(2) @ out_proj_weight.t()
