"""The bias of the mask is made with numpy and stays float64.

Idea: The bias lifts float32 scores to float64, and the result keeps that dtype instead of the dtype of q.
Where: only for inputs other than float64 with a mask
"""

import math

import numpy as np
import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0, "heads must divide d_model"
    wq, wk, wv = in_proj_weight.chunk(3)
    Q, K, V = ((x @ w.T).unflatten(-1, (num_heads, -1)).transpose(1, 2) for x, w in zip((q, k, v), (wq, wk, wv)))
    scores = Q @ K.mT / math.sqrt(d_model // num_heads)
    if mask is not None:
        full = mask.expand(q.shape[0], q.shape[1], k.shape[1])
        bias = torch.from_numpy(np.where(full.cpu().numpy() != 0, -np.inf, 0.0))
        scores = scores + bias[:, None]
    weights = scores.softmax(-1)
    merged = (weights @ V.to(weights.dtype)).transpose(1, 2).flatten(2)
    return merged @ out_proj_weight.to(merged.dtype).T
