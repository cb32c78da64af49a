import torch as t; from torch import nn
class MultiHeadAttention(nn.Module):
    def __init__(s, i, o, L, p, h, qkv_bias=False):
        super().__init__(); s.h = h
        if o % h: raise ValueError
        s.W_query, s.W_key, s.W_value = (nn.Linear(i, o, bias=qkv_bias) for _ in "qkv")
        s.out_proj = nn.Linear(o, o); s.d = nn.Dropout(p)
    def forward(s, x):
        n = x.shape[1]; q, k, v = (f(x).unflatten(2, (s.h, -1)).transpose(1, 2) for f in (s.W_query, s.W_key, s.W_value))
        a = (q @ k.mT / q.shape[-1] ** .5).masked_fill(t.ones(n, n, device=x.device).triu(1) > 0, -t.inf).softmax(-1)
        return s.out_proj((s.d(a) @ v).transpose(1, 2).flatten(2))
