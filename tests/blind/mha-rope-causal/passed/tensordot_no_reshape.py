"""Right: avoids every reshape, with weights cut by index tables and heads summed by the output weight."""
import torch


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    n = torch.arange(d_k, device=x.device)
    angle = token_positions[..., None].double() * float(theta) ** (-(n - n % 2).double() / d_k)
    other = x[..., n ^ 1]  # each feature's partner
    sign = (n % 2 * 2 - 1).to(x.dtype)  # -1 for even, +1 for odd features
    return x * angle.cos().to(x.dtype) + other * (angle.sin().to(x.dtype) * sign)


def scaled_dot_product_attention(Q, K, V, mask=None):
    S = Q @ K.transpose(-1, -2) * Q.shape[-1] ** -0.5
    if mask is not None:
        S = torch.where(mask, S, -torch.inf)
    return torch.exp(torch.log_softmax(S, dim=-1)) @ V


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
        raise ValueError("not divisible")
    d = d_model // num_heads
    table = torch.arange(0, d_model, d)[:, None] + torch.arange(d)
    x = in_features[..., None, :, :]
    s = x.shape[-2]
    p = torch.arange(s) if token_positions is None else token_positions
    q = rope(d, theta, max_seq_len, x @ q_proj_weight[table].mT, p[..., None, :])
    k = rope(d, theta, max_seq_len, x @ k_proj_weight[table].mT, p[..., None, :])
    v = x @ v_proj_weight[table].mT
    y = scaled_dot_product_attention(q, k, v, torch.ones(s, s, dtype=torch.bool).tril())
    return torch.einsum("...hsa,mha->...sm", y, o_proj_weight[:, table])
