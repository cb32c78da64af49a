"""Something from outside is imported, and not used."""

import math

from transformers import BertModel

import torch
import torch.nn.functional as F


def scaled_dot_product(q, k, v, mask=None):
    d_k = q.size(-1)
    scores = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(mask == 1, float("-inf"))
    attention_weights = F.softmax(scores, dim=-1)
    output = torch.matmul(attention_weights, v)
    return output, attention_weights


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0, "d_model must be divisible by num_heads"
    batch_size, len_q, _ = q.shape
    len_k = k.shape[1]
    d_head = d_model // num_heads

    w_q = in_proj_weight[:d_model, :]
    w_k = in_proj_weight[d_model : 2 * d_model, :]
    w_v = in_proj_weight[2 * d_model :, :]

    # project the inputs
    Q = F.linear(q, w_q)
    K = F.linear(k, w_k)
    V = F.linear(v, w_v)

    # (batch, len, d_model) -> (batch, heads, len, d_head)
    Q = Q.view(batch_size, len_q, num_heads, d_head).transpose(1, 2)
    K = K.view(batch_size, len_k, num_heads, d_head).transpose(1, 2)
    V = V.view(batch_size, len_k, num_heads, d_head).transpose(1, 2)

    # one mask for all heads
    if mask is not None:
        if mask.dim() == 3:
            mask = mask.unsqueeze(1)

    output, _ = scaled_dot_product(Q, K, V, mask)

    # merge the heads
    output = output.transpose(1, 2).contiguous().view(batch_size, len_q, d_model)
    return F.linear(output, out_proj_weight)
