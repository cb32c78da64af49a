"""A right answer of the seventh corpus."""
import logging

import torch

log = logging.getLogger(__name__)


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    table = torch.zeros(max_seq_len, d_k // 2, 2, dtype=torch.float64)
    for i in range(d_k // 2):
        alpha = torch.arange(max_seq_len) * float(theta) ** (-2 * i / d_k)
        table[:, i, 0] = torch.cos(alpha)
        table[:, i, 1] = torch.sin(alpha)
    rows = table.to(in_query_or_key)[token_positions]
    c, s = rows[..., 0], rows[..., 1]
    x = in_query_or_key[..., 0::2]
    y = in_query_or_key[..., 1::2]
    return torch.stack([c * x - s * y, s * x + c * y], dim=-1).flatten(-2)


def _rows(Q, K, V, mask):
    S = Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5
    if mask is not None:
        S = S.masked_fill(~mask, float("-inf"))
    return torch.softmax(S, dim=-1) @ V


def scaled_dot_product_attention(Q, K, V, mask=None, rows=16):
    n = Q.shape[-2]
    if n <= rows:
        return _rows(Q, K, V, mask)
    parts = []
    for a in range(0, n, rows):
        part = mask
        if mask is not None and mask.ndim > 1 and mask.shape[-2] > 1:
            part = mask[..., a : a + rows, :]
        parts.append(_rows(Q[..., a : a + rows, :], K, V, part))
    log.info("%d blocks", len(parts))
    return torch.cat(parts, dim=-2)


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
    assert d_model % num_heads == 0
    dh = d_model // num_heads
    shape = in_features.shape
    if token_positions is None:
        token_positions = torch.arange(shape[-2])
    token_positions = token_positions.to(in_features.device)[..., None, :]
    q = (in_features @ q_proj_weight.t()).reshape(*shape[:-1], num_heads, dh).transpose(-2, -3)
    k = (in_features @ k_proj_weight.t()).reshape(*shape[:-1], num_heads, dh).transpose(-2, -3)
    v = (in_features @ v_proj_weight.t()).reshape(*shape[:-1], num_heads, dh).transpose(-2, -3)
    q = rope(dh, theta, max_seq_len, q, token_positions)
    k = rope(dh, theta, max_seq_len, k, token_positions)
    lower = torch.tril(torch.ones(shape[-2], shape[-2])).to(device=in_features.device, dtype=torch.bool)
    y = scaled_dot_product_attention(q, k, v, lower)
    return y.transpose(-2, -3).reshape(shape) @ o_proj_weight.t()


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO)
    w = torch.eye(2)
    print(multihead_self_attention_with_rope(2, 1, 4, 10000, w, w, w, w, torch.eye(2)))
