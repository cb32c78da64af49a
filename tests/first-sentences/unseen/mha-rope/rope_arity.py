# Says: `rope(Q, token_positions)` passes two arguments, but your own `rope` takes five: call it as `rope(d_head, theta, max_seq_len, Q, token_positions)`.
# Line: 37
# Names: rope, five
# Kind: crash
import torch


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    omega = torch.pow(torch.tensor(theta, dtype=torch.float64), -torch.arange(0, d_k, 2) / d_k)
    phi = torch.einsum("...s,f->...sf", token_positions.double(), omega)
    cos, sin = phi.cos().to(in_query_or_key.dtype), phi.sin().to(in_query_or_key.dtype)
    a, b = in_query_or_key[..., ::2], in_query_or_key[..., 1::2]
    return torch.stack((a * cos - b * sin, a * sin + b * cos), -1).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    w = Q @ K.transpose(-2, -1) / (Q.shape[-1] ** 0.5)
    if mask is not None:
        w = w.masked_fill(~mask, float("-inf"))
    w = w - w.amax(dim=-1, keepdim=True)
    w = w.exp()
    w = w / w.sum(dim=-1, keepdim=True)
    return w @ V


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    assert d_model % num_heads == 0
    d_head = d_model // num_heads
    *lead, seq, _ = in_features.shape
    Q = (in_features @ q_proj_weight.T).view(*lead, seq, num_heads, d_head).transpose(-3, -2)
    K = (in_features @ k_proj_weight.T).view(*lead, seq, num_heads, d_head).transpose(-3, -2)
    V = (in_features @ v_proj_weight.T).view(*lead, seq, num_heads, d_head).transpose(-3, -2)
    if token_positions is None:
        token_positions = torch.arange(seq)
    if token_positions.dim() > 1:
        token_positions = token_positions.unsqueeze(-2)
    Q = rope(Q, token_positions)
    K = rope(K, token_positions)
    out = scaled_dot_product_attention(Q, K, V)
    return out.transpose(-3, -2).contiguous().view(*lead, seq, d_model) @ o_proj_weight.T
