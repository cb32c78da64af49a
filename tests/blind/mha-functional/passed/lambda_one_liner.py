"""The whole of attention as lambdas."""

import math

_cut = lambda x, w, h: (x @ w.T).unflatten(-1, (h, w.shape[0] // h)).transpose(1, 2)
_hide = lambda s, m: s if m is None else s.masked_fill(m.bool().expand(s.shape[0], *s.shape[2:])[:, None], -math.inf)
_check = lambda d, h: None if d % h == 0 else (_ for _ in ()).throw(ValueError("heads must divide d_model"))
_attend = lambda q, k, v, m: _hide(q @ k.mT / math.sqrt(q.shape[-1]), m).softmax(-1) @ v
_blocks = lambda w, d: (w[:d], w[d:2 * d], w[2 * d:])

multi_head_attention = lambda q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight: (
    _check(d_model, num_heads)
    or _attend(*(_cut(x, w, num_heads) for x, w in zip((q, k, v), _blocks(in_proj_weight, d_model))), mask)
    .transpose(1, 2).flatten(2) @ out_proj_weight.T
)
