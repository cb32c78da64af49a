def multi_head_attention(q, k, v, h, d, mask=None, *, in_proj_weight, out_proj_weight):
    if d % h: raise ValueError
    f = lambda x, w: (x @ w.T).unflatten(-1, (h, d // h)).transpose(1, 2)
    Q, K, V = map(f, (q, k, v), in_proj_weight.split(d))
    s = Q @ K.mT / (d // h) ** .5
    if mask is not None: s = s.masked_fill((mask != 0).reshape(-1, 1, *mask.shape[-2:]), -float("inf"))
    return (s.softmax(-1) @ V).transpose(1, 2).flatten(2) @ out_proj_weight.T
