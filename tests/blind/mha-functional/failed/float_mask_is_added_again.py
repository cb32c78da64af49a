"""Multi-head attention that treats boolean masks as hiding and float masks as additive.

Idea: A mask of floats is added to the scores, as torch does it, so that its ones hide nothing.
Where: only when the mask holds floats
"""

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("uneven heads")
    Q, K, V = (
        (x @ w.T).unflatten(-1, (num_heads, -1)).transpose(1, 2) for x, w in zip((q, k, v), in_proj_weight.chunk(3))
    )
    scores = Q @ K.mT / Q.shape[-1] ** 0.5
    if mask is not None:
        mask = mask.expand(q.shape[0], q.shape[1], k.shape[1]).unsqueeze(1)
        if mask.is_floating_point():
            scores = scores + mask.to(scores.dtype)
        else:
            scores = scores.masked_fill(mask.bool(), -torch.inf)
    return (scores.softmax(-1) @ V).transpose(1, 2).flatten(2) @ out_proj_weight.T
