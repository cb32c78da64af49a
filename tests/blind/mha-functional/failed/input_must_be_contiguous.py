"""Views the inputs as one long list of tokens.

Idea: view is called on the inputs themselves, and stops with an error when they are not contiguous.
Where: only for non-contiguous q, k or v
"""

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("d_model % num_heads != 0")
    n, lq, lk = q.size(0), q.size(1), k.size(1)
    def project(x, w):
        flat = torch.mm(x.view(-1, d_model), w.t())
        return flat.view(n, -1, num_heads, d_model // num_heads).transpose(1, 2)
    wq, wk, wv = in_proj_weight.chunk(3)
    s = torch.matmul(project(q, wq), project(k, wk).transpose(2, 3)) / (d_model // num_heads) ** 0.5
    if mask is not None:
        s = s.masked_fill(mask.bool().expand(n, lq, lk).unsqueeze(1), float("-inf"))
    out = torch.matmul(s.softmax(-1), project(v, wv)).transpose(1, 2).reshape(-1, d_model)
    return torch.mm(out, out_proj_weight.t()).view(n, lq, d_model)
