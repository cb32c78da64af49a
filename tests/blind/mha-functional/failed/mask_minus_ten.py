"""Hidden scores are lowered by ten.

Idea: A finite penalty of 10 is not minus infinity: hidden keys keep a little weight.
Where: only when a mask is given
"""

import torch
from torch.nn.functional import linear, softmax


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert not d_model % num_heads
    n, a, b = q.shape[0], q.shape[1], k.shape[1]
    wq, wk, wv = in_proj_weight.chunk(3)
    Q = linear(q, wq).view(n, a, num_heads, -1).permute(0, 2, 1, 3).reshape(n * num_heads, a, -1)
    K = linear(k, wk).view(n, b, num_heads, -1).permute(0, 2, 3, 1).reshape(n * num_heads, -1, b)
    V = linear(v, wv).view(n, b, num_heads, -1).permute(0, 2, 1, 3).reshape(n * num_heads, b, -1)
    s = torch.bmm(Q, K) / Q.shape[-1] ** 0.5
    if mask is not None:
        m = mask.expand(n, a, b).to(s.dtype)
        s = s - 10.0 * m.repeat_interleave(num_heads, 0)
    o = torch.bmm(softmax(s, -1), V).view(n, num_heads, a, -1).permute(0, 2, 1, 3).flatten(2)
    return linear(o, out_proj_weight)
