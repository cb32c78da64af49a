"""A running softmax over blocks of keys, as in FlashAttention: the whole matrix of scores never exists."""

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("d_model % num_heads must be 0")
    n, l_q, l_k = q.shape[0], q.shape[1], k.shape[1]
    Q, K, V = (
        (x @ w.T).reshape(n, -1, num_heads, d_model // num_heads).transpose(1, 2)
        for x, w in zip((q, k, v), in_proj_weight.chunk(3), strict=True)
    )
    hidden = torch.zeros(1, 1, 1, dtype=torch.bool) if mask is None else mask.bool()
    hidden = hidden.expand(n, l_q, l_k)[:, None]
    largest = torch.full((n, num_heads, l_q, 1), -1e30, dtype=q.dtype)
    total = torch.zeros(n, num_heads, l_q, 1, dtype=q.dtype)
    summed = torch.zeros_like(Q)
    for start in range(0, l_k, 32):
        block = slice(start, start + 32)
        scores = Q @ K[:, :, block].mT * (d_model // num_heads) ** -0.5
        scores = scores.masked_fill(hidden[..., block], float("-inf"))
        higher = torch.maximum(largest, scores.amax(-1, keepdim=True))
        shrink, weights = torch.exp(largest - higher), torch.exp(scores - higher)
        total = total * shrink + weights.sum(-1, keepdim=True)
        summed = summed * shrink + weights @ V[:, :, block]
        largest = higher
    return (summed / total).transpose(1, 2).reshape(n, l_q, d_model) @ out_proj_weight.T
