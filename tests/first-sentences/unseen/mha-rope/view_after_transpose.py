# Says: After `transpose(-3, -2)` the heads are not contiguous in memory, so `.view(*B, T, d_model)` refuses; use `reshape` or call `.contiguous()` first.
# Line: 43
# Names: view, reshape
# Kind: crash
import torch
import torch.nn.functional as F


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    inv = torch.exp(-torch.log(torch.tensor(float(theta), dtype=torch.float64)) * torch.arange(0, d_k, 2) / d_k)
    phase = token_positions[..., None] * inv
    rot = torch.polar(torch.ones_like(phase), phase)
    xc = torch.view_as_complex(x.double().reshape(*x.shape[:-1], d_k // 2, 2).contiguous())
    return torch.view_as_real(xc * rot).flatten(-2).to(x.dtype)


def scaled_dot_product_attention(Q, K, V, mask=None):
    S = (Q @ K.transpose(-2, -1)) * Q.shape[-1] ** -0.5
    if mask is not None:
        S = S.masked_fill(~mask, float("-inf"))
    A = F.softmax(S, dim=-1)
    return A @ V


def multihead_self_attention_with_rope(
    d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight,
    v_proj_weight, o_proj_weight, in_features, token_positions=None,
):
    assert d_model % num_heads == 0
    *B, T, C = in_features.shape
    hd = C // num_heads
    Q = F.linear(in_features, q_proj_weight).view(*B, T, num_heads, hd).transpose(-3, -2)
    K = F.linear(in_features, k_proj_weight).view(*B, T, num_heads, hd).transpose(-3, -2)
    V = F.linear(in_features, v_proj_weight).view(*B, T, num_heads, hd).transpose(-3, -2)
    if token_positions is None:
        token_positions = torch.arange(T, device=in_features.device)
    if token_positions.dim() > 1:
        token_positions = token_positions.unsqueeze(-2)
    Q = rope(hd, theta, max_seq_len, Q, token_positions)
    K = rope(hd, theta, max_seq_len, K, token_positions)
    O = scaled_dot_product_attention(Q, K, V)
    O = O.transpose(-3, -2).view(*B, T, d_model)
    return F.linear(O, o_proj_weight)
