"""Counts the tokens itself and never looks at the positions that were passed."""
# expect: token_positions argument is ignored
import torch


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    omega = theta ** (-torch.arange(0, d_k, 2, dtype=torch.float64, device=x.device) / d_k)
    angle = token_positions[..., None].to(torch.float64) * omega
    phase = torch.polar(torch.ones_like(angle), angle)
    z = torch.complex(x[..., 0::2].double(), x[..., 1::2].double()) * phase
    return torch.stack((z.real, z.imag), dim=-1).flatten(-2).to(x.dtype)


def scaled_dot_product_attention(Q, K, V, mask=None):
    S = torch.einsum("...ia,...ja->...ij", Q, K) / Q.shape[-1] ** 0.5
    if mask is not None:
        S = S.masked_fill(~mask, -torch.inf)
    return torch.einsum("...ij,...jb->...ib", torch.softmax(S, dim=-1), V)


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
        raise ValueError("num_heads must divide d_model")
    d = d_model // num_heads
    seq = in_features.shape[-2]
    token_positions = torch.arange(seq, device=in_features.device)
    pos = token_positions.unsqueeze(-2)

    def project(W):
        return torch.einsum("...sm,ham->...hsa", in_features, W.reshape(num_heads, d, d_model))

    q = rope(d, theta, max_seq_len, project(q_proj_weight), pos)
    k = rope(d, theta, max_seq_len, project(k_proj_weight), pos)
    y = scaled_dot_product_attention(q, k, project(v_proj_weight))
    return torch.einsum("...hsa,mha->...sm", y, o_proj_weight.reshape(d_model, num_heads, d))
