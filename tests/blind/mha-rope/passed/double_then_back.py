"""Right: every part works in double and hands back the dtype that it was given."""
from functools import wraps

import torch


def in_double(f):
    @wraps(f)
    def g(*args, **kwargs):
        tensors = [a for a in (*args, *kwargs.values()) if isinstance(a, torch.Tensor) and a.is_floating_point()]
        up = lambda a: a.double() if isinstance(a, torch.Tensor) and a.is_floating_point() else a
        out = f(*map(up, args), **{name: up(a) for name, a in kwargs.items()})
        return out.to(tensors[0].dtype)

    return g


@in_double
def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    i = torch.arange(d_k // 2, dtype=torch.double, device=in_query_or_key.device)
    alpha = token_positions.double()[..., None] * torch.exp(-2 * i / d_k * torch.log(torch.tensor(float(theta)).double()))
    pairs = in_query_or_key.reshape(*in_query_or_key.shape[:-1], d_k // 2, 2)
    x, y = pairs[..., 0], pairs[..., 1]
    turned = torch.stack([x * alpha.cos() - y * alpha.sin(), x * alpha.sin() + y * alpha.cos()], -1)
    return turned.reshape(in_query_or_key.shape)


@in_double
def scaled_dot_product_attention(Q, K, V, mask=None):
    A = Q @ K.mT / Q.shape[-1] ** 0.5
    if mask is not None:
        A = torch.where(mask, A, torch.full((), -torch.inf, dtype=A.dtype, device=A.device))
    return torch.softmax(A, -1) @ V


@in_double
def multihead_self_attention_with_rope(
    d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features,
    token_positions=None,
):
    assert d_model % num_heads == 0, "d_model must be a multiple of num_heads"
    n = in_features.shape[-2]
    p = torch.arange(n, device=in_features.device) if token_positions is None else token_positions
    p = p[..., None, :]
    cut = lambda W: (in_features @ W.T).reshape(*in_features.shape[:-1], num_heads, -1).transpose(-2, -3)
    dk = d_model // num_heads
    q, k, v = cut(q_proj_weight), cut(k_proj_weight), cut(v_proj_weight)
    o = scaled_dot_product_attention(rope(dk, theta, max_seq_len, q, p), rope(dk, theta, max_seq_len, k, p), v)
    return o.transpose(-2, -3).reshape(in_features.shape) @ o_proj_weight.T
