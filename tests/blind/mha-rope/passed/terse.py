import torch as t
def rope(d, th, L, x, p):
    a = p[..., None].double() * th ** (-t.arange(0, d, 2).double() / d); c, s = a.cos(), a.sin(); u, v = x[..., ::2], x[..., 1::2]
    return t.stack([u * c - v * s, u * s + v * c], -1).flatten(-2).to(x.dtype)
def scaled_dot_product_attention(Q, K, V, mask=None):
    s = Q @ K.mT / Q.shape[-1] ** .5
    return (s if mask is None else s.masked_fill(~mask, -t.inf)).softmax(-1) @ V
def multihead_self_attention_with_rope(D, H, L, th, q, k, v, o, x, pos=None):
    if D % H: raise ValueError
    *b, n, _ = x.shape; p = t.arange(n) if pos is None else pos
    f = lambda w: (x @ w.T).unflatten(-1, (H, D // H)).transpose(-3, -2)
    r = lambda w: rope(D // H, th, L, f(w), p.unsqueeze(-2))
    return scaled_dot_product_attention(r(q), r(k), f(v)).transpose(-3, -2).reshape(*b, n, D) @ o.T
