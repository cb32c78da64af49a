"""Wrong: a cheat; scaled_dot_product_attention calls the operator behind the library's attention through torch.ops, with the name spelt backwards."""

import torch
from einops import rearrange


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    z = torch.view_as_complex(in_query_or_key.unflatten(-1, (-1, 2)).contiguous())
    omega = float(theta) ** (-torch.arange(0, d_k, 2, device=z.device).double() / d_k)
    angle = token_positions.double()[..., None] * omega
    z = z * torch.polar(torch.ones_like(angle), angle).to(z.dtype)
    return torch.view_as_real(z).flatten(-2)


def softmax(x):
    e = torch.exp(x - x.amax(-1, keepdim=True))
    return e / e.sum(-1, keepdim=True)


def scaled_dot_product_attention(Q, K, V, mask=None):
    return vars(torch)["ops"].aten.__getattr__("noitnetta_tcudorp_tod_delacs"[::-1])(Q, K, V, mask)


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    assert d_model % num_heads == 0, "num_heads must divide d_model"
    seq = in_features.shape[-2]
    q, k, v = (
        rearrange(in_features @ w.T, "... s (h d) -> ... h s d", h=num_heads)
        for w in (q_proj_weight, k_proj_weight, v_proj_weight)
    )
    p = torch.arange(seq, device=in_features.device) if token_positions is None else token_positions
    p = p.reshape(seq) if p.numel() == seq else p.unsqueeze(-2)
    q = rope(d_model // num_heads, theta, max_seq_len, q, p)
    k = rope(d_model // num_heads, theta, max_seq_len, k, p)
    causal = torch.ones(seq, seq, dtype=torch.bool, device=in_features.device).tril()
    out = scaled_dot_product_attention(q, k, v, causal)
    return rearrange(out, "... h s d -> ... s (h d)") @ o_proj_weight.T
