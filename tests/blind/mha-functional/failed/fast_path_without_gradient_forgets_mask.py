"""Multi-head attention with a lean path for inference.

Idea: The path for calls without gradients is a second copy of the attention, and the mask was forgotten there.
Where: only under no_grad or inference_mode, with a mask
"""

import torch


def _train_path(Q, K, V, hidden):
    scores = torch.einsum("nhid,nhjd->nhij", Q, K)
    if hidden is not None:
        scores = torch.where(hidden, -torch.inf, scores)
    return torch.einsum("nhij,nhjd->nihd", torch.softmax(scores, dim=-1), V)


def _inference_path(Q, K, V):
    scores = torch.einsum("nhid,nhjd->nhij", Q, K)
    scores -= scores.amax(-1, keepdim=True)
    scores.exp_()
    scores /= scores.sum(-1, keepdim=True)
    return torch.einsum("nhij,nhjd->nihd", scores, V)


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    wq, wk, wv = in_proj_weight.chunk(3)
    Q, K, V = (t.unflatten(-1, (num_heads, -1)).transpose(1, 2) for t in (q @ wq.T, k @ wk.T, v @ wv.T))
    Q = Q / (d_model // num_heads) ** 0.5
    hidden = None if mask is None else mask.bool().expand(q.shape[0], q.shape[1], k.shape[1])[:, None]
    out = _train_path(Q, K, V, hidden) if torch.is_grad_enabled() else _inference_path(Q, K, V)
    return out.flatten(2) @ out_proj_weight.T
