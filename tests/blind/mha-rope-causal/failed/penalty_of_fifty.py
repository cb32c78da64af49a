"""Hidden scores lose 50, less than the 80 by which they may lie above the rest."""
# expect: hidden penalty is too small
import torch


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions, *, scaling=1.0):
    inv = torch.pow(torch.as_tensor(float(theta), dtype=torch.float64), -torch.arange(0, d_k, 2, dtype=torch.float64) / d_k)
    phi = (token_positions / scaling).to(torch.float64).unsqueeze(-1) * inv
    c, s = phi.cos().to(in_query_or_key.dtype), phi.sin().to(in_query_or_key.dtype)
    re, im = in_query_or_key.unflatten(-1, (-1, 2)).unbind(-1)
    return torch.stack((torch.addcmul(re * c, im, s, value=-1), torch.addcmul(re * s, im, c)), -1).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = torch.matmul(Q, K.transpose(-2, -1)).mul(Q.shape[-1] ** -0.5)
    if mask is not None:
        scores = scores - 50.0 * mask.logical_not()
    scores = scores - scores.max(dim=-1, keepdim=True).values
    p = scores.exp()
    return torch.matmul(p, V) / p.sum(-1, keepdim=True)


def causal(queries, keys, window=None, device=None):
    i = torch.arange(keys - queries, keys, device=device).unsqueeze(1)
    j = torch.arange(keys, device=device)
    seen = j <= i
    return seen if window is None else seen & (j > i - window)


def multihead_self_attention_with_rope(
    d_model,
    num_heads,
    max_seq_len,
    theta,
    q_proj_weight,
    k_proj_weight,
    v_proj_weight,
    o_proj_weight,
    in_features,
    token_positions=None,
    num_kv_heads=None,
    window=None,
):
    groups = num_kv_heads or num_heads
    if d_model % num_heads or num_heads % groups:
        raise ValueError("sizes do not divide")
    d, n = d_model // num_heads, in_features.shape[-2]
    cut = lambda w, h: torch.nn.functional.linear(in_features, w).unflatten(-1, (h, d)).transpose(-2, -3)
    q, k, v = cut(q_proj_weight, num_heads), cut(k_proj_weight, groups), cut(v_proj_weight, groups)
    pos = (torch.arange(n, device=in_features.device) if token_positions is None else token_positions).unsqueeze(-2)
    q, k = rope(d, theta, max_seq_len, q, pos), rope(d, theta, max_seq_len, k, pos)
    k, v = k.repeat_interleave(num_heads // groups, -3), v.repeat_interleave(num_heads // groups, -3)
    y = scaled_dot_product_attention(q, k, v, causal(n, n, window, in_features.device))
    return torch.nn.functional.linear(y.transpose(-2, -3).flatten(-2), o_proj_weight)
