"""Right: the minimalist, bmm with the heads in the batch."""
def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    d, n, lq = d_model // num_heads, q.shape[0], q.shape[1]
    f = lambda x, w: (x @ w.T).unflatten(2, (num_heads, d)).transpose(1, 2).flatten(0, 1)
    q, k, v = map(f, (q, k, v), in_proj_weight.chunk(3))
    s = q.bmm(k.mT).div(d**0.5)
    if mask is not None:
        s = s.masked_fill(mask.bool().expand(n, lq, k.shape[1]).repeat_interleave(num_heads, 0), -float("inf"))
    return s.softmax(2).bmm(v).unflatten(0, (n, num_heads)).transpose(1, 2).flatten(2) @ out_proj_weight.T
