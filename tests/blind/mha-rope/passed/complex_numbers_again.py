"""rope treats each pair of features as one complex number and multiplies with a phase."""

import torch


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    exponent = torch.arange(d_k // 2, dtype=torch.double, device=x.device).mul(-2 / d_k)
    position = token_positions.to(device=x.device, dtype=torch.double)
    angle = position[..., None] * torch.pow(float(theta), exponent)
    phase = torch.polar(torch.ones_like(angle), angle)
    z = torch.complex(x[..., ::2], x[..., 1::2])
    z = z * phase.to(z.dtype)
    return torch.view_as_real(z).flatten(start_dim=-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    # half of the scale goes to each side
    root = Q.shape[-1] ** -0.25
    logits = (Q * root) @ (K * root).mT
    if mask is not None:
        logits = logits.masked_fill(mask.logical_not(), -torch.inf)
    return logits.softmax(-1) @ V


def _heads(t, n):
    return t.unflatten(-1, (n, -1)).transpose(-3, -2)


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
    d_head, rest = divmod(d_model, num_heads)
    if rest:
        raise ValueError("d_model has to be divisible by num_heads")

    lead, seq = in_features.shape[:-2], in_features.shape[-2]
    if token_positions is None:
        token_positions = torch.arange(seq, device=in_features.device)
    if not lead:
        token_positions = token_positions.reshape(seq)
    positions = token_positions.expand(*lead, seq).unsqueeze(-2)

    q, k, v = (
        _heads(torch.nn.functional.linear(in_features, w), num_heads)
        for w in (q_proj_weight, k_proj_weight, v_proj_weight)
    )
    q, k = (rope(d_head, theta, max_seq_len, t, positions) for t in (q, k))
    out = scaled_dot_product_attention(q, k, v).transpose(-3, -2).flatten(-2)
    return torch.nn.functional.linear(out, o_proj_weight)
