import torch
from torch.nn import functional as F


def build_tables(max_seq_len, d_head, theta):
    """cos and sin for every position up to max_seq_len, each number twice, (max_seq_len, d_head)"""
    inv_freq = 1.0 / (theta ** (torch.arange(0, d_head, 2, dtype=torch.float64) / d_head))
    angles = torch.outer(torch.arange(max_seq_len, dtype=torch.float64), inv_freq)
    return torch.cos(angles).repeat_interleave(2, -1), torch.sin(angles).repeat_interleave(2, -1)


def swap_pairs(x):
    """(x0, x1, x2, x3, ...) -> (-x1, x0, -x3, x2, ...)"""
    sign = torch.ones(x.shape[-1], dtype=x.dtype)
    sign[0::2] = -1
    pairs = x.reshape(*x.shape[:-1], -1, 2).flip(-1)
    return pairs.reshape(x.shape) * sign


def transformer_block(x, weights, num_heads, max_seq_len, theta, token_positions=None, eps=1e-5, *, causal=True):
    seq, d_model = x.shape[-2:]
    d_head = d_model // num_heads
    positions = torch.arange(seq) if token_positions is None else token_positions
    cos, sin = (t.to(x.dtype)[positions].unsqueeze(-2) for t in build_tables(max_seq_len, d_head, theta))

    def rms(z, w):
        return F.normalize(torch.cat([z, z.new_full((*z.shape[:-1], 1), (eps * d_model) ** 0.5)], -1), dim=-1, eps=1e-30)[..., :-1] * d_model**0.5 * w

    def project(z, name):
        return F.linear(z, weights[f"attn.{name}_proj.weight"]).view(*z.shape[:-1], num_heads, d_head)

    a = rms(x, weights["attn_norm.weight"])
    q, k, v = project(a, "q"), project(a, "k"), project(a, "v")
    # heads stay behind the sequence, einsum sorts it out
    q = q * cos + swap_pairs(q) * sin
    k = k * cos + swap_pairs(k) * sin
    scores = torch.einsum("...qhd,...khd->...hqk", q, k) / d_head**0.5
    if causal:
        index = torch.arange(seq)
        scores = torch.where(index[:, None] >= index, scores, torch.tensor(float("-inf"), dtype=scores.dtype))
    mixed = torch.einsum("...hqk,...khd->...qhd", scores.softmax(dim=-1), v)
    h = x + F.linear(mixed.flatten(-2), weights["attn.o_proj.weight"])
    b = rms(h, weights["ffn_norm.weight"])
    gate, value = F.linear(b, torch.cat([weights["ffn.w1.weight"], weights["ffn.w3.weight"]])).chunk(2, -1)
    return h + F.linear(F.silu(gate) * value, weights["ffn.w2.weight"])
