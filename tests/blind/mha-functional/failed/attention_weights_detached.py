"""Takes the attention weights off the graph.

Idea: The weights of attention are detached, so nothing is learned about where to look.
Where: only the gradient of q, k and the first two blocks of in_proj_weight
Id: detached-gradient
"""

import math

import torch
import torch.nn.functional as F


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("d_model must be divisible by num_heads")
    Q, K, V = (F.linear(x, w).unflatten(2, (num_heads, -1)).transpose(1, 2) for x, w in zip((q, k, v), in_proj_weight.split(d_model)))

    def look():
        s = Q @ K.mT / math.sqrt(Q.shape[-1])
        if mask is not None:
            s = s.masked_fill(mask.bool().expand(len(q), q.shape[1], k.shape[1]).unsqueeze(1), -math.inf)
        return torch.softmax(s, dim=-1)

    attn = look().detach()
    return F.linear((attn @ V).transpose(1, 2).flatten(2), out_proj_weight)
