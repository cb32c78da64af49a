"""Subtracts the extreme score of the whole tensor before exp, so rows far from it become 0/0."""
# expect: subtracts maximum of whole tensor
import torch
from einops import einsum, rearrange


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    k = torch.arange(0, d_k, 2, device=in_query_or_key.device, dtype=torch.float64)
    alpha = einsum(token_positions.double(), theta ** (-k / d_k), "... s, i -> ... s i")
    c, s = torch.cos(alpha).to(in_query_or_key.dtype), torch.sin(alpha).to(in_query_or_key.dtype)
    x, y = rearrange(in_query_or_key, "... (i two) -> two ... i", two=2)
    return rearrange([c * x - s * y, s * x + c * y], "two ... i -> ... (i two)")


def scaled_dot_product_attention(Q, K, V, mask=None):
    beta = Q.shape[-1] ** -0.5  # inverse temperature
    energy = -beta * einsum(Q, K, "... i a, ... j a -> ... i j")
    if mask is not None:
        energy = torch.where(mask, energy, torch.inf)
    boltzmann = torch.exp(-(energy - energy.min()))
    return einsum(boltzmann / boltzmann.sum(-1, keepdim=True), V, "... i j, ... j b -> ... i b")


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
        raise ValueError(f"d_model {d_model} is not divisible by num_heads {num_heads}")
    s = in_features.shape[-2]
    if token_positions is None:
        token_positions = torch.arange(s, device=in_features.device)
    t = rearrange(token_positions, "... s -> ... 1 s")
    past = torch.arange(s, device=in_features.device)
    light_cone = past[:, None] >= past[None, :]

    def field(W):
        return rearrange(einsum(in_features, W, "... s m, n m -> ... s n"), "... s (h a) -> ... h s a", h=num_heads)

    q, k, v = field(q_proj_weight), field(k_proj_weight), field(v_proj_weight)
    q = rope(d_model // num_heads, theta, max_seq_len, q, t)
    k = rope(d_model // num_heads, theta, max_seq_len, k, t)
    out = rearrange(scaled_dot_product_attention(q, k, v, light_cone), "... h s a -> ... s (h a)")
    return einsum(out, o_proj_weight, "... s n, m n -> ... s m")
