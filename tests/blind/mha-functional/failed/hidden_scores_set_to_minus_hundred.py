"""Multi-head attention that writes a "very small" number where a key is hidden.

Idea: Hidden scores become -100, which is not small beside visible scores of minus several hundred.
Where: only when scores are strongly negative and a mask is given
"""

import torch

VERY_SMALL = -100.0


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError(f"{d_model} % {num_heads} != 0")
    split = lambda t: t.unflatten(-1, (num_heads, d_model // num_heads)).swapdims(1, 2)  # noqa: E731
    wq, wk, wv = in_proj_weight.tensor_split(3)
    Q, K, V = split(q @ wq.T), split(k @ wk.T), split(v @ wv.T)
    scores = Q @ K.swapdims(2, 3) / (d_model // num_heads) ** 0.5
    if mask is not None:
        hidden = mask.bool().expand(q.shape[0], q.shape[1], k.shape[1])
        scores = scores.masked_fill(hidden.unsqueeze(1), VERY_SMALL)
    return (torch.softmax(scores, -1) @ V).swapdims(1, 2).flatten(2) @ out_proj_weight.T
