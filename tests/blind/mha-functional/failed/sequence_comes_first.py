"""Treats axis 0 as the sequence, as old torch layers do.

Idea: The first axis is taken for the tokens and the second for the batch, so tokens attend across sequences.
Where: everywhere (where q and k have the same shape; others stop with an error)
"""

import math

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("embed_dim must be divisible by num_heads")
    tgt_len, bsz, embed_dim = q.shape
    src_len = k.shape[0]
    head_dim = embed_dim // num_heads
    w_q, w_k, w_v = in_proj_weight.chunk(3)
    Q = (q @ w_q.T).reshape(tgt_len, bsz * num_heads, head_dim).transpose(0, 1)
    K = (k @ w_k.T).reshape(src_len, bsz * num_heads, head_dim).transpose(0, 1)
    V = (v @ w_v.T).reshape(src_len, bsz * num_heads, head_dim).transpose(0, 1)
    attn = torch.bmm(Q, K.transpose(1, 2)) / math.sqrt(head_dim)
    if mask is not None:
        mask = mask.bool().expand(bsz, tgt_len, src_len).repeat_interleave(num_heads, dim=0)
        attn = attn.masked_fill(mask, -math.inf)
    out = torch.bmm(attn.softmax(-1), V)
    return out.transpose(0, 1).reshape(tgt_len, bsz, embed_dim) @ out_proj_weight.T
