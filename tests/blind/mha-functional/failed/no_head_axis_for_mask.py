"""The mask meets the scores as it is.

Idea: A mask (N, L_q, L_k) gets no axis for the heads, so its sequences are laid onto the heads.
Where: only for masks of three axes with more than one sequence in them (a silent error when N equals num_heads, a crash otherwise)
"""

import math

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    split = lambda x: x.unflatten(-1, (num_heads, d_model // num_heads)).transpose(1, 2)
    wq, wk, wv = in_proj_weight.chunk(3)
    scores = split(q @ wq.T) @ split(k @ wk.T).mT / math.sqrt(d_model // num_heads)
    if mask is not None:
        scores = scores.masked_fill(mask.bool(), -math.inf)
    return (torch.softmax(scores, -1) @ split(v @ wv.T)).transpose(1, 2).flatten(2) @ out_proj_weight.T
