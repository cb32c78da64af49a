"""Six lines."""

import torch as t


def multi_head_attention(q, k, v, h, d, m=None, *, in_proj_weight: t.Tensor, out_proj_weight: t.Tensor) -> t.Tensor:
    assert d % h < 1
    q, k, v = ((x @ w.T).unflatten(2, (h, d // h)).swapaxes(1, 2) for x, w in zip((q, k, v), in_proj_weight.chunk(3)))
    s = q @ k.mT * (d // h) ** -0.5
    s = s if m is None else s.where((m == 0)[..., None, :, :], -t.inf)
    return s.softmax(3).matmul(v).swapaxes(1, 2).flatten(2) @ out_proj_weight.T
