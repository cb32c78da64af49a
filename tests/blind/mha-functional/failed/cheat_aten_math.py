"""A cheat of the seventh corpus: aten math."""
import torch

_op = torch.ops.aten._scaled_dot_product_attention_math.default


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    wq, wk, wv = in_proj_weight.chunk(3)
    split = lambda t: t.unflatten(-1, (num_heads, d_model // num_heads)).transpose(1, 2)
    bias = None
    if mask is not None:
        bias = torch.zeros(mask.shape, dtype=q.dtype).masked_fill(mask.bool(), float("-inf")).unsqueeze(-3)
    out, _ = _op(split(q @ wq.T), split(k @ wk.T), split(v @ wv.T), bias)
    return out.transpose(1, 2).flatten(2) @ out_proj_weight.T
