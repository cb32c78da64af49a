"""Multi-head attention that takes masks of three axes apart again.

Idea: Of a mask (N, L_q, L_k) just the first sequence's part is used, for the whole batch.
Where: only when the masks of the sequences differ
"""

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    to_heads = lambda x, w: torch.stack(torch.chunk(x @ w.T, num_heads, dim=-1), dim=1)  # noqa: E731
    wq, wk, wv = in_proj_weight.chunk(3)
    Q, K, V = to_heads(q, wq), to_heads(k, wk), to_heads(v, wv)
    scores = Q @ K.mT / (d_model // num_heads) ** 0.5
    if mask is not None:
        if mask.dim() == 3:
            mask = mask[0]
        # (L_q, L_k) meets (N, H, L_q, L_k) by itself
        scores = scores.masked_fill(mask.bool(), float("-inf"))
    return torch.cat((scores.softmax(-1) @ V).unbind(1), dim=-1) @ out_proj_weight.T
