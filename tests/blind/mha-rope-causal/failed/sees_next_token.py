"""tril(1) lets each token see one token too many: the next one."""
# expect: mask shifted by one token
import torch

D = torch.float64


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key.to(D)
    a = token_positions.to(D)[..., None] * torch.tensor(theta, dtype=D) ** (-torch.arange(0, d_k, 2, dtype=D) / d_k)
    e, o = x[..., 0::2], x[..., 1::2]
    r = torch.stack([e * a.cos() - o * a.sin(), o * a.cos() + e * a.sin()], dim=-1)
    return r.flatten(-2).to(in_query_or_key.dtype)


def scaled_dot_product_attention(Q, K, V, mask=None):
    s = torch.matmul(Q.to(D), K.to(D).transpose(-2, -1)) / Q.shape[-1] ** 0.5
    if mask is not None:
        s = s.masked_fill(torch.logical_not(mask), -torch.inf)
    return torch.matmul(torch.softmax(s, -1), V.to(D)).to(V.dtype)


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
):
    if d_model % num_heads:
        raise ValueError("d_model % num_heads")
    x = in_features.to(D)
    seq = x.shape[-2]
    pos = torch.arange(seq) if token_positions is None else token_positions
    pos = pos[..., None, :].to(x.device)
    wq, wk, wv, wo = (w.to(D) for w in (q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight))
    h = [(x @ w.T).reshape(*x.shape[:-1], num_heads, d_model // num_heads).movedim(-2, -3) for w in (wq, wk, wv)]
    q, k = (rope(d_model // num_heads, theta, max_seq_len, t, pos) for t in h[:2])
    allowed = torch.ones(seq, seq, dtype=torch.bool, device=x.device).tril(1)
    y = scaled_dot_product_attention(q, k, h[2], allowed).movedim(-3, -2).reshape(x.shape) @ wo.T
    return y.to(in_features.dtype)
