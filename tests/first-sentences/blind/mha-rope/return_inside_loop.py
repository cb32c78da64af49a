# Says: The `return` stands inside the loop `for w in (q_proj_weight, k_proj_weight, v_proj_weight):`, so the helper gives back the queries alone; indent it one level less.
# Line: 21
# Names: return, for w in
# Kind: crash
import torch


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    k = torch.arange(d_k // 2, dtype=torch.float64, device=in_query_or_key.device)
    alpha = token_positions[..., None] * torch.pow(torch.tensor(theta, dtype=torch.float64), -2 * k / d_k)
    R = torch.stack([alpha.cos(), -alpha.sin(), alpha.sin(), alpha.cos()], -1).unflatten(-1, (2, 2))
    x = in_query_or_key.unflatten(-1, (-1, 2)).unsqueeze(-1)
    return (R.to(x.dtype) @ x).squeeze(-1).flatten(-2)


def project(x, q_proj_weight, k_proj_weight, v_proj_weight, num_heads):
    result = []
    for w in (q_proj_weight, k_proj_weight, v_proj_weight):
        y = x @ w.T
        result.append(y.unflatten(-1, (num_heads, -1)).transpose(-3, -2))
        return result


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return scores.softmax(-1) @ V


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight,
                                       v_proj_weight, o_proj_weight, in_features, token_positions=None):
    assert d_model % num_heads == 0
    q, k, v = project(in_features, q_proj_weight, k_proj_weight, v_proj_weight, num_heads)
    p = torch.arange(in_features.shape[-2]) if token_positions is None else token_positions
    if p.dim() > 1:
        p = p.unsqueeze(-2)
    q, k = (rope(d_model // num_heads, theta, max_seq_len, t, p) for t in (q, k))
    z = scaled_dot_product_attention(q, k, v)
    return z.transpose(-3, -2).flatten(-2) @ o_proj_weight.T
