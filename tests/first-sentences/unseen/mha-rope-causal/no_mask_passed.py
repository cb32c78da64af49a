# Says: You build `causal_mask` but call `scaled_dot_product_attention(q, k, v)` without it, so every token still sees the later ones.
# Line: 33
# Names: causal_mask, scaled_dot_product_attention
# Kind: wrong idea
import torch
from einops import rearrange

def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    w = theta ** (-torch.arange(0, d_k, 2).double() / d_k)
    a = token_positions[..., None] * w
    c, s = a.cos().to(in_query_or_key.dtype), a.sin().to(in_query_or_key.dtype)
    x, y = in_query_or_key[..., ::2], in_query_or_key[..., 1::2]
    return rearrange([x * c - y * s, x * s + y * c], 'two ... d -> ... (d two)')

def scaled_dot_product_attention(Q, K, V, mask=None):
    s = Q @ K.transpose(-2, -1) / Q.shape[-1] ** .5
    if mask is not None:
        s = s.masked_fill(~mask, float('-inf'))
    return s.softmax(-1) @ V

def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    assert d_model % num_heads == 0
    n = in_features.shape[-2]
    q, k, v = (rearrange(in_features @ w.T, '... n (h d) -> ... h n d', h=num_heads) for w in (q_proj_weight, k_proj_weight, v_proj_weight))
    if token_positions is None:
        token_positions = torch.arange(n)
    if token_positions.dim() > 1:
        token_positions = token_positions.unsqueeze(-2)
    d_head = d_model // num_heads
    q = rope(d_head, theta, max_seq_len, q, token_positions)
    k = rope(d_head, theta, max_seq_len, k, token_positions)
    causal_mask = torch.ones(n, n, dtype=torch.bool).tril()
    y = scaled_dot_product_attention(q, k, v).transpose(-3, -2).flatten(-2)
    return y @ o_proj_weight.T
