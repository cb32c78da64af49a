# Says: `MultiHeadAttention` has to be a class derived from nn.Module, but your file defines a function `multi_head_attention` only.
# Line: 8
# Names: MultiHeadAttention, class
# Kind: refused
import torch


def multi_head_attention(x, W_query, W_key, W_value, out_proj, num_heads):
    b, n, _ = x.shape
    d_out = W_query.shape[0]
    hd = d_out // num_heads
    q = (x @ W_query.T).view(b, n, num_heads, hd).transpose(1, 2)
    k = (x @ W_key.T).view(b, n, num_heads, hd).transpose(1, 2)
    v = (x @ W_value.T).view(b, n, num_heads, hd).transpose(1, 2)
    s = q @ k.transpose(2, 3) / hd**0.5
    s = s.masked_fill(torch.triu(torch.ones(n, n), 1).bool(), -torch.inf)
    return (s.softmax(-1) @ v).transpose(1, 2).reshape(b, n, d_out) @ out_proj.T
