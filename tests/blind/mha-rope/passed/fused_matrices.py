import math

import torch

PAIR = 2


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    """One 2 by 2 rotation for each pair: (..., seq, d/2, 2, 2) @ (..., seq, d/2, 2, 1)."""
    assert d_k % PAIR == 0 and in_query_or_key.shape[-1] == d_k
    k = torch.arange(d_k // PAIR, dtype=torch.float64)
    a = token_positions.double()[..., None] * torch.exp(-2 * k / d_k * math.log(theta))
    c, s = torch.cos(a), torch.sin(a)
    R = torch.stack((torch.stack((c, -s), -1), torch.stack((s, c), -1)), -2).to(in_query_or_key.dtype)
    v = in_query_or_key.unflatten(-1, (d_k // PAIR, PAIR)).unsqueeze(-1)
    return (R @ v).squeeze(-1).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    dots = torch.einsum("...qd,...kd->...qk", Q, K)
    dots = dots / torch.tensor(Q.shape[-1], dtype=dots.dtype).sqrt()
    if mask is not None:
        dots = dots.masked_fill(mask == False, torch.finfo(dots.dtype).min)  # noqa: E712
    shares = torch.exp(torch.log_softmax(dots, dim=-1))
    return torch.einsum("...qk,...kd->...qd", shares, V)


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
    *,
    debug=False,
):
    d_head, rest = divmod(d_model, num_heads)
    if rest != 0:
        raise AssertionError("d_model % num_heads != 0")
    lead = in_features.shape[:-2]
    seq = in_features.shape[-2]
    x = in_features.reshape(-1, seq, d_model)
    n = x.shape[0]
    if token_positions is None:
        positions = torch.arange(seq).expand(n, seq)
    elif token_positions.dim() == 1 or token_positions.shape[:-1].numel() == 1:
        positions = token_positions.reshape(1, seq).expand(n, seq)
    else:
        positions = token_positions.expand(*lead, seq).reshape(n, seq)
    # one product for all three
    qkv = x @ torch.cat([q_proj_weight, k_proj_weight, v_proj_weight]).T
    q, k, v = qkv.reshape(n, seq, 3, num_heads, d_head).permute(2, 0, 3, 1, 4)
    positions = positions[:, None, :]
    q = rope(d_head, theta, max_seq_len, q, positions)
    k = rope(d_head, theta, max_seq_len, k, positions)
    y = scaled_dot_product_attention(q, k, v)
    if debug:
        print(q.shape, k.shape, v.shape, y.shape)
    return (y.permute(0, 2, 1, 3).reshape(*lead, seq, d_model)) @ o_proj_weight.T
