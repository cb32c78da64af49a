# Says: You wrote a function `MultiHeadAttention(x, W_query, ...)`, but it has to be a class derived from `nn.Module` with `__init__` and `forward`.
# Line: 8
# Names: MultiHeadAttention, class, nn.Module
# Kind: refused
import torch


def MultiHeadAttention(x, W_query, W_key, W_value, out_proj, num_heads):
    b, n, _ = x.shape
    q = (x @ W_query.T).reshape(b, n, num_heads, -1).transpose(1, 2)
    k = (x @ W_key.T).reshape(b, n, num_heads, -1).transpose(1, 2)
    v = (x @ W_value.T).reshape(b, n, num_heads, -1).transpose(1, 2)
    s = q @ k.transpose(2, 3) / q.shape[-1] ** 0.5
    s = s.masked_fill(torch.triu(torch.ones(n, n), diagonal=1).bool(), float("-inf"))
    y = torch.softmax(s, dim=-1) @ v
    return y.transpose(1, 2).reshape(b, n, -1) @ out_proj.T
