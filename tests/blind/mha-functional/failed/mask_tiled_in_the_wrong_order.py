"""Wrong: heads and batch share an axis, sequence by sequence, but the mask is tiled head by head with repeat; with more than one sequence and more than one head, sequences get each other's masks."""

import math

import torch
from torch import Tensor


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("num_heads must divide d_model")
    d_head = d_model // num_heads
    w_q, w_k, w_v = in_proj_weight.chunk(3)
    Q, K, V = q @ w_q.T, k @ w_k.T, v @ w_v.T
    Q = Q.reshape(Q.shape[0], Q.shape[1], num_heads, d_head).transpose(1, 2)
    K = K.reshape(K.shape[0], K.shape[1], num_heads, d_head).transpose(1, 2)
    V = V.reshape(V.shape[0], V.shape[1], num_heads, d_head).transpose(1, 2)
    scores = torch.bmm(Q.flatten(0, 1), K.flatten(0, 1).mT) / math.sqrt(d_head)
    if mask is not None:
        mask = mask.bool().expand(q.shape[0], q.shape[1], k.shape[1])
        scores = scores.masked_fill(mask.repeat(num_heads, 1, 1), float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    merged = torch.bmm(weights, V.flatten(0, 1)).unflatten(0, (q.shape[0], num_heads)).transpose(1, 2).reshape(q.shape[0], q.shape[1], d_model)
    return merged @ out_proj_weight.T
