"""A right answer of the seventh corpus."""
import torch


def rotation(d_k, theta, positions, like):
    i = torch.arange(d_k // 2, dtype=torch.float64, device=like.device)
    a = positions.to(torch.float64).unsqueeze(-1) * torch.pow(float(theta), -2 * i / d_k)
    rows = torch.stack((torch.stack((a.cos(), -a.sin()), -1), torch.stack((a.sin(), a.cos()), -1)), -2)
    return rows.to(like.dtype)  # (..., seq, d_k/2, 2, 2)


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    pairs = in_query_or_key.reshape(*in_query_or_key.shape[:-1], d_k // 2, 2)
    R = rotation(d_k, theta, token_positions, in_query_or_key)
    return torch.einsum("...ab,...b->...a", R, pairs).reshape(in_query_or_key.shape)


def scaled_dot_product_attention(Q, K, V, mask=None):
    logits = torch.einsum("...qd,...kd->...qk", Q, K).div(Q.shape[-1] ** 0.5)
    if mask is not None:
        bias = torch.zeros(mask.shape, dtype=logits.dtype, device=logits.device).masked_fill(mask.logical_not(), -torch.inf)
        logits = logits + bias
    return torch.einsum("...qk,...kd->...qd", torch.log_softmax(logits, -1).exp(), V)


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
        raise ValueError(f"{num_heads} heads do not divide {d_model} features")
    d_head = d_model // num_heads
    *_, seq, _ = in_features.shape
    packed = torch.stack((q_proj_weight, k_proj_weight, v_proj_weight)).reshape(3, num_heads, d_head, d_model)
    qkv = torch.einsum("...sm,phdm->p...hsd", in_features, packed)
    where = torch.arange(seq, device=in_features.device) if token_positions is None else token_positions
    qk = rope(d_head, theta, max_seq_len, qkv[:2], where[..., None, :])
    z = scaled_dot_product_attention(qk[0], qk[1], qkv[2])
    return torch.einsum("...hsd,ohd->...so", z, o_proj_weight.reshape(d_model, num_heads, d_head)).reshape(in_features.shape)
