import torch as t; from torch import nn
def att(q, k, v, d):
    n = q.shape[-2]
    return d((q @ k.mT / q.shape[-1] ** .5).masked_fill(t.ones(n, n, device=q.device).triu(1) > 0, -t.inf).softmax(-1)) @ v
class CausalAttention(nn.Module):
    def __init__(s, i, o, L, p, qkv_bias=False):
        super().__init__(); s.d = nn.Dropout(p)
        s.W_query, s.W_key, s.W_value = (nn.Linear(i, o, bias=qkv_bias) for _ in "qkv")
    def forward(s, x): return att(s.W_query(x), s.W_key(x), s.W_value(x), s.d)
class MultiHeadAttentionWrapper(nn.Module):
    def __init__(s, i, o, L, p, h, qkv_bias=False):
        super().__init__(); s.heads = nn.ModuleList(CausalAttention(i, o, L, p, qkv_bias) for _ in range(h))
    def forward(s, x): return t.cat([h(x) for h in s.heads], -1)
class MultiHeadAttention(nn.Module):
    def __init__(s, i, o, L, p, h, qkv_bias=False):
        super().__init__(); s.h = h; s.d = nn.Dropout(p)
        if o % h: raise ValueError
        s.W_query, s.W_key, s.W_value = (nn.Linear(i, o, bias=qkv_bias) for _ in "qkv"); s.out_proj = nn.Linear(o, o)
    def forward(s, x):
        return s.out_proj(att(*(f(x).unflatten(2, (s.h, -1)).transpose(1, 2) for f in (s.W_query, s.W_key, s.W_value)), s.d).transpose(1, 2).flatten(2))
