"""A right answer of the seventh corpus."""
import torch
from einops import einsum, rearrange, repeat


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    inverse = torch.pow(torch.tensor(float(theta), dtype=torch.float64), -torch.arange(0, d_k, 2, dtype=torch.float64) / d_k)
    angles = einsum(token_positions.double(), inverse.to(token_positions.device), "... s, f -> ... s f")
    cos = repeat(angles.cos(), "... f -> ... (f 2)").to(in_query_or_key.dtype)
    sin = repeat(angles.sin(), "... f -> ... (f 2)").to(in_query_or_key.dtype)
    even, odd = rearrange(in_query_or_key, "... (f two) -> two ... f", two=2)
    crossed = rearrange(torch.stack((-odd, even)), "two ... f -> ... (f two)")
    return cos * in_query_or_key + sin * crossed


def scaled_dot_product_attention(Q, K, V, mask=None):
    sim = einsum(Q, K, "... i d, ... j d -> ... i j") * Q.shape[-1] ** -0.5
    if mask is not None:
        sim = sim.masked_fill(~mask, -torch.finfo(sim.dtype).max)
    sim = sim - sim.amax(dim=-1, keepdim=True).detach()
    attn = sim.softmax(dim=-1)
    return einsum(attn, V, "... i j, ... j d -> ... i d")


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
    assert d_model % num_heads == 0, "d_model % num_heads != 0"
    n, device = in_features.shape[-2], in_features.device
    positions = torch.arange(n, device=device) if token_positions is None else token_positions
    positions = rearrange(positions, "... n -> ... 1 n")
    split = "... n (h d) -> ... h n d"
    q = rearrange(einsum(in_features, q_proj_weight, "... n i, o i -> ... n o"), split, h=num_heads)
    k = rearrange(einsum(in_features, k_proj_weight, "... n i, o i -> ... n o"), split, h=num_heads)
    v = rearrange(einsum(in_features, v_proj_weight, "... n i, o i -> ... n o"), split, h=num_heads)
    q, k = (rope(d_model // num_heads, theta, max_seq_len, t, positions) for t in (q, k))
    i, j = torch.arange(n, device=device)[:, None], torch.arange(n, device=device)
    out = rearrange(scaled_dot_product_attention(q, k, v, j <= i), "... h n d -> ... n (h d)")
    return einsum(out.reshape(in_features.shape), o_proj_weight, "... n i, o i -> ... n o")
