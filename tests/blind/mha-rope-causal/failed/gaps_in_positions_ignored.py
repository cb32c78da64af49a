"""Wrong: positions of shape (seq,) or (1, seq) are replaced by 0, 1, 2, ..., their gaps are ignored."""
import torch
import torch.nn.functional as F
from einops import rearrange, repeat


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    freqs = torch.einsum(
        "...n,f->...nf",
        token_positions.to(torch.float64),
        1.0 / theta ** (torch.arange(0, d_k, 2, dtype=torch.float64, device=token_positions.device) / d_k),
    )
    freqs = repeat(freqs, "... f -> ... (f r)", r=2)
    x = rearrange(in_query_or_key, "... (d r) -> ... d r", r=2)
    x1, x2 = x.unbind(dim=-1)
    half_turned = rearrange(torch.stack((-x2, x1), dim=-1), "... d r -> ... (d r)")
    return (in_query_or_key * freqs.cos() + half_turned * freqs.sin()).to(in_query_or_key.dtype)


def scaled_dot_product_attention(Q, K, V, mask=None):
    sim = torch.einsum("... i d, ... j d -> ... i j", Q, K) * Q.shape[-1] ** -0.5
    if mask is not None:
        sim = sim.masked_fill(~mask, -torch.finfo(sim.dtype).max)
    attn = sim.softmax(dim=-1)
    return torch.einsum("... i j, ... j d -> ... i d", attn, V)


def multihead_self_attention_with_rope(
    d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None
):
    if d_model % num_heads != 0:
        raise ValueError("d_model must be a multiple of num_heads")
    n = in_features.shape[-2]
    x = in_features.reshape(-1, n, d_model)
    b = x.shape[0]
    if token_positions is None:
        token_positions = torch.arange(n, device=x.device)
    if token_positions.numel() == n:
        positions = repeat(torch.arange(n, device=x.device), "n -> b 1 n", b=b)
    else:
        positions = token_positions.reshape(b, 1, n)
    q, k, v = (rearrange(F.linear(x, w), "b n (h d) -> b h n d", h=num_heads) for w in (q_proj_weight, k_proj_weight, v_proj_weight))
    q, k = (rope(d_model // num_heads, theta, max_seq_len, t, positions) for t in (q, k))
    causal = rearrange(torch.ones(n, n, dtype=torch.bool, device=x.device).tril(), "i j -> 1 1 i j")
    out = rearrange(scaled_dot_product_attention(q, k, v, causal), "b h n d -> b n (h d)")
    return F.linear(out, o_proj_weight).reshape(in_features.shape)
