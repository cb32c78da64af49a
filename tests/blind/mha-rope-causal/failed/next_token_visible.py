"""Wrong: every token sees the next one too, tril starts one diagonal too high."""
import torch

BLOCK = 4


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    w = torch.logspace(0, -(d_k - 2) / d_k, d_k // 2, base=float(theta), dtype=torch.float64, device=x.device)
    a = (token_positions[..., None] * w).repeat_interleave(2, -1)
    sign = x.new_tensor([-1, 1]).repeat(d_k // 2)
    swapped = x[..., torch.arange(d_k, device=x.device) ^ 1]
    return torch.addcmul(x * a.cos().to(x.dtype), swapped * sign, a.sin().to(x.dtype))


def blocks(K, V, mask):
    for start in range(0, K.shape[-2], BLOCK):
        end = min(start + BLOCK, K.shape[-2])
        yield K[..., start:end, :], V[..., start:end, :], mask[..., start:end]


def scaled_dot_product_attention(Q, K, V, mask=None):
    if mask is None:
        mask = torch.ones(1, 1, dtype=torch.bool, device=Q.device)
    mask = mask.expand(*mask.shape[:-1], K.shape[-2])
    q = Q * Q.shape[-1] ** -0.5
    low = torch.finfo(q.dtype).min
    top = q.new_full((*q.shape[:-1], 1), low)
    total, out = torch.zeros_like(top), 0.0
    for k, v, m in blocks(K, V, mask):
        s = (q @ k.transpose(-2, -1)).masked_fill(~m, float("-inf"))
        new_top = torch.maximum(top, s.detach().amax(-1, keepdim=True))
        shrink, p = (top - new_top).exp(), (s - new_top).exp()
        total = total * shrink + p.sum(-1, keepdim=True)
        out = out * shrink + p @ v
        top = new_top
    return out / total


def multihead_self_attention_with_rope(
    d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight,
    in_features, token_positions=None,
):
    if d_model % num_heads:
        raise ValueError("d_model % num_heads must be zero")
    s, d = in_features.shape[-2], d_model // num_heads
    p = torch.arange(s, device=in_features.device) if token_positions is None else token_positions
    split = lambda w: torch.einsum("...i,oi->...o", in_features, w).unflatten(-1, (num_heads, d)).movedim(-2, -3)
    q = rope(d, theta, max_seq_len, split(q_proj_weight), p.unsqueeze(-2))
    k = rope(d, theta, max_seq_len, split(k_proj_weight), p.unsqueeze(-2))
    m = torch.ones((s, s), device=in_features.device).tril(1).bool()
    y = scaled_dot_product_attention(q, k, split(v_proj_weight), m)
    return torch.einsum("...i,oi->...o", y.movedim(-3, -2).flatten(-2), o_proj_weight)
