"""Other names for the parameters; gate and passage in one product; embeddings as a product with one-hot rows."""

import torch
from torch.nn import functional


def silu(a):
    return torch.where(a >= 0, a / (1 + torch.exp(-a.abs())), a * torch.exp(-a.abs()) / (1 + torch.exp(-a.abs())))


def transformer_block(
    hidden_states, params, n_heads, max_len, base, position_ids=None, norm_eps=1e-5, *, training=False
):
    *lead, length = hidden_states.shape[:-1]
    if position_ids is None:
        position_ids = torch.arange(length).expand(*lead, length)

    def normed(states, name):
        variance = states.pow(2).mean(-1, keepdim=True)
        return params[f"{name}.weight"] * (states * torch.rsqrt(variance + norm_eps))

    states = normed(hidden_states, "attn_norm")
    packed = torch.cat([params[f"attn.{role}_proj.weight"] for role in ("q", "k", "v")])
    query, key, value = functional.linear(states, packed).unflatten(-1, (3, n_heads, -1)).unbind(-3)
    inverse = torch.pow(
        torch.tensor(float(base), dtype=torch.float64), -torch.arange(0, query.shape[-1], 2) / query.shape[-1]
    )
    angle = (position_ids.unsqueeze(-1) * inverse).repeat_interleave(2, dim=-1).unsqueeze(-2)
    cos, sin = angle.cos().to(states.dtype), angle.sin().to(states.dtype)

    def rotated(y):
        return torch.stack((-y[..., 1::2], y[..., ::2]), dim=-1).reshape(y.shape)

    query, key = query * cos + rotated(query) * sin, key * cos + rotated(key) * sin
    scores = torch.einsum("...qhd,...khd->...hqk", query, key) / query.shape[-1] ** 0.5
    scores = scores + torch.triu(torch.full((length, length), -1e30, dtype=scores.dtype), diagonal=1)
    context = torch.einsum("...hqk,...khd->...qhd", functional.softmax(scores, -1), value).flatten(-2)
    hidden_states = hidden_states + functional.linear(context, params["attn.o_proj.weight"])

    both = functional.linear(
        normed(hidden_states, "ffn_norm"), torch.cat([params["ffn.w1.weight"], params["ffn.w3.weight"]])
    )
    gate, up = both.chunk(2, dim=-1)
    return hidden_states + functional.linear(silu(gate) * up, params["ffn.w2.weight"])


def transformer_lm(input_ids, params, depth, n_heads, context_length, rope_theta, norm_eps=1e-5, *, training=False):
    table = params["token_embeddings.weight"]
    states = functional.one_hot(input_ids, len(table)).to(table.dtype) @ table
    for number in range(depth):
        own = {key.split(".", 2)[2]: value for key, value in params.items() if key.startswith(f"layers.{number}.")}
        states = transformer_block(states, own, n_heads, context_length, rope_theta, norm_eps=norm_eps)
    variance = states.pow(2).mean(-1, keepdim=True)
    states = params["final_norm.weight"] * (states * torch.rsqrt(variance + norm_eps))
    return functional.linear(states, params["lm_head.weight"])
