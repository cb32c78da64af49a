"""Wrong: the table has only seq rows and positions are clamped to seq - 1, so positions beyond the length of the sequence all get the last angle."""
import torch
import torch.nn.functional as F
from einops import einsum, rearrange


def table(length, d, theta):
    speed = theta ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)
    angles = torch.outer(torch.arange(length, dtype=torch.float64), speed)
    return torch.polar(torch.ones_like(angles), angles)


def turn(x, phases):
    pairs = torch.view_as_complex(rearrange(x.double(), "... (i two) -> ... i two", two=2).contiguous())
    return torch.view_as_real(pairs * phases).flatten(-2).to(x.dtype)


def normed(x, weight, eps):
    return x * (x.square().mean(dim=-1, keepdim=True) + eps).rsqrt() * weight


def transformer_block(x, weights, num_heads, max_seq_len, theta, token_positions=None, eps=1e-5):
    seq, d_model = x.shape[-2:]
    z = normed(x, weights["attn_norm.weight"], eps)
    qkv = [
        rearrange(F.linear(z, weights[f"attn.{n}_proj.weight"]), "... s (h d) -> ... h s d", h=num_heads)
        for n in "qkv"
    ]
    phases = table(seq, d_model // num_heads, theta)
    phases = phases[:seq] if token_positions is None else phases[token_positions.clamp(max=seq - 1)]
    phases = phases.unsqueeze(-3)
    q, k, v = turn(qkv[0], phases), turn(qkv[1], phases), qkv[2]
    scores = einsum(q, k, "... q d, ... k d -> ... q k") * (d_model // num_heads) ** -0.5
    allowed = torch.ones(seq, seq).tril() == 1
    scores = torch.where(allowed, scores, torch.finfo(x.dtype).min)
    mixed = rearrange(einsum(scores.softmax(dim=-1), v, "... q k, ... k d -> ... q d"), "... h s d -> ... s (h d)")
    h = x + F.linear(mixed, weights["attn.o_proj.weight"])
    z = normed(h, weights["ffn_norm.weight"], eps)
    hidden = F.silu(F.linear(z, weights["ffn.w1.weight"])) * F.linear(z, weights["ffn.w3.weight"])
    return h + F.linear(hidden, weights["ffn.w2.weight"])
