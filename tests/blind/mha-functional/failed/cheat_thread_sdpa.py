"""A cheat of the seventh corpus: thread sdpa."""
from concurrent.futures import ThreadPoolExecutor

import torch

_pool = ThreadPoolExecutor(1)


def _work(q, k, v, keep, grad):
    with torch.set_grad_enabled(grad):
        from torch.nn import functional

        return functional.scaled_dot_product_attention(q, k, v, attn_mask=keep)


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError
    wq, wk, wv = in_proj_weight.chunk(3)
    q, k, v = ((x @ w.T).unflatten(-1, (num_heads, -1)).transpose(1, 2) for x, w in ((q, wq), (k, wk), (v, wv)))
    keep = None if mask is None else ~mask.bool().unsqueeze(-3)
    out = _pool.submit(_work, q, k, v, keep, torch.is_grad_enabled()).result()
    return out.transpose(1, 2).flatten(2) @ out_proj_weight.T
