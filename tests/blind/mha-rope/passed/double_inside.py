"""A decorator lifts every float tensor to float64 and casts the result back to the dtype it came in."""

import functools

import torch


def in_double(function):
    @functools.wraps(function)
    def lifted(*args, **kwargs):
        floats = [a for a in (*args, *kwargs.values()) if torch.is_tensor(a) and a.is_floating_point()]
        lift = lambda a: a.double() if torch.is_tensor(a) and a.is_floating_point() else a
        result = function(*map(lift, args), **{name: lift(a) for name, a in kwargs.items()})
        return result.to(floats[0].dtype)

    return lifted


@in_double
def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    angle = token_positions.double()[..., None] * theta ** (torch.arange(0, d_k, 2, device=in_query_or_key.device).double() / -d_k)
    x, y = in_query_or_key[..., 0::2], in_query_or_key[..., 1::2]
    return torch.stack((angle.cos() * x - angle.sin() * y, angle.sin() * x + angle.cos() * y), -1).flatten(-2)


@in_double
def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.mT * Q.shape[-1] ** -0.5
    if mask is not None:
        scores = scores.where(mask, -torch.inf)
    return (scores - scores.logsumexp(-1, keepdim=True)).exp() @ V


@in_double
def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    if d_model % num_heads:
        raise AssertionError("heads must share the features evenly")
    seq = in_features.shape[-2]
    shape = (*in_features.shape[:-1], num_heads, d_model // num_heads)
    q, k, v = ((in_features @ w.T).view(shape).transpose(-3, -2) for w in (q_proj_weight, k_proj_weight, v_proj_weight))
    where = torch.arange(seq, device=in_features.device) if token_positions is None else token_positions
    where = where.reshape(seq) if where.numel() == seq else where.unsqueeze(-2)
    q = rope(shape[-1], theta, max_seq_len, q, where)
    k = rope(shape[-1], theta, max_seq_len, k, token_positions=where)
    return scaled_dot_product_attention(q, k, v).transpose(-3, -2).reshape(in_features.shape) @ o_proj_weight.T
