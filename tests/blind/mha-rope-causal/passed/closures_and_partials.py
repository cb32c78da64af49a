"""Functions that return functions: a projector, a rotator and a mask maker, glued with functools."""

from functools import cache, partial, reduce

import torch


@cache
def rotator(d_k: int, theta: float):
    def rotate(x, positions):
        angles = positions.double().unsqueeze(-1) * rates().to(x.device)
        z = torch.view_as_complex(x.unflatten(-1, (-1, 2)).contiguous())
        return torch.view_as_real(z * torch.exp(1j * angles).to(z.dtype)).flatten(-2)

    @cache
    def rates():
        with torch.inference_mode(False):
            return float(theta) ** -(torch.arange(0, d_k, 2, dtype=torch.float64) / d_k)

    return rotate


def compose(*steps):
    return lambda start: reduce(lambda value, step: step(value), steps, start)


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    return rotator(d_k, theta)(in_query_or_key, token_positions)


def scaled_dot_product_attention(Q, K, V, mask=None):
    hide = (lambda s: s) if mask is None else (lambda s: s.masked_fill(~mask, -torch.inf))
    return compose(lambda q: q @ K.mT, lambda s: s / Q.shape[-1] ** 0.5, hide, partial(torch.softmax, dim=-1), lambda w: w @ V)(Q)


def lower(n: int, device) -> torch.Tensor:
    return torch.arange(n, device=device).unsqueeze(-1).ge(torch.arange(n, device=device))


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    if d_model % num_heads:
        raise ValueError("num_heads must divide d_model evenly")
    seq = in_features.shape[-2]
    positions = torch.arange(seq, device=in_features.device) if token_positions is None else token_positions
    positions = positions.reshape(seq) if positions.numel() == seq else positions.unsqueeze(-2)
    split = lambda t: t.unflatten(-1, (num_heads, d_model // num_heads)).transpose(-3, -2)
    turn = partial(rope, d_model // num_heads, theta, max_seq_len, token_positions=positions)
    make = lambda weight, *more: compose(lambda x: x @ weight.T, split, *more)(in_features)
    mixed = scaled_dot_product_attention(make(q_proj_weight, turn), make(k_proj_weight, turn), make(v_proj_weight), lower(seq, in_features.device))
    return compose(lambda t: t.transpose(-3, -2), lambda t: t.flatten(-2), lambda t: t @ o_proj_weight.T)(mixed)
