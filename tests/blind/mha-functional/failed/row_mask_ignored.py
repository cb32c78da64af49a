"""Skips masks that do not have one row for each query.

Idea: A mask (N, 1, L_k) broadcasts over the queries; here it is passed over because its rows are not L_q.
Where: only for masks with one row while L_q is above 1
"""

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0, "d_model % num_heads"
    def project(x, part):
        w = in_proj_weight[part * d_model:(part + 1) * d_model]
        return torch.matmul(x, w.T).unflatten(-1, (num_heads, -1)).swapaxes(1, 2)
    scores = torch.matmul(project(q, 0), project(k, 1).mT) * (d_model // num_heads) ** -0.5
    if mask is not None and mask.dim() >= 2 and mask.shape[-2] == q.shape[1]:
        if mask.dim() == 3:
            mask = mask[:, None]
        scores = scores.masked_fill(mask.bool(), float("-inf"))
    return torch.matmul(scores.softmax(-1), project(v, 2)).swapaxes(1, 2).flatten(2) @ out_proj_weight.T
