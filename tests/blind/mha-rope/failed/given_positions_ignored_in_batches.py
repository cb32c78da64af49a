"""Wrong: positions given for a batch are ignored, every sequence gets 0, 1, 2, ..."""
import functools

import torch
from torch import Tensor


def same_shape(position: int):
    def decorate(f):
        @functools.wraps(f)
        def inner(*args, **kwargs):
            out = f(*args, **kwargs)
            if len(args) > position and out.shape[-1] != args[position].shape[-1]:
                raise RuntimeError(f"{f.__name__} changed the width from {args[position].shape[-1]} to {out.shape[-1]}")
            return out

        return inner

    return decorate


@same_shape(3)
def rope(d_k: int, theta: float, max_seq_len: int, in_query_or_key: Tensor, token_positions: Tensor) -> Tensor:
    x = in_query_or_key
    freq = torch.exp2(-torch.arange(0, d_k, 2, dtype=torch.float64) / d_k * torch.log2(torch.tensor(theta, dtype=torch.float64)))
    grid = torch.arange(max_seq_len, dtype=torch.float64)[:, None] * freq
    rows = token_positions.reshape(-1, 1).cpu()
    angle = torch.take_along_dim(grid, rows, dim=0).reshape(*token_positions.shape, d_k // 2).to(x.device)
    cos, sin = (f(angle).to(x.dtype).unsqueeze(-1) for f in (torch.cos, torch.sin))
    pairs = x.unflatten(-1, (d_k // 2, 2))
    turned = pairs.flip(-1) * torch.tensor([-1.0, 1.0], dtype=x.dtype, device=x.device)
    return (pairs * cos + turned * sin).flatten(-2)


@same_shape(2)
def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Tensor:
    scores = torch.matmul(Q, K.transpose(-1, -2)).mul(Q.shape[-1] ** -0.5)
    match mask:
        case None:
            pass
        case Tensor():
            scores = scores.masked_fill(mask.logical_not(), float("-inf"))
    return torch.matmul(torch.nn.functional.softmax(scores, dim=-1), V)


def multihead_self_attention_with_rope(
    d_model: int,
    num_heads: int,
    max_seq_len: int,
    theta: float,
    q_proj_weight: Tensor,
    k_proj_weight: Tensor,
    v_proj_weight: Tensor,
    o_proj_weight: Tensor,
    in_features: Tensor,
    token_positions: Tensor | None = None,
) -> Tensor:
    if (rest := d_model % num_heads) != 0:
        raise ValueError(f"{rest} features are left over: choose num_heads so that it divides d_model")
    seq = in_features.shape[-2]
    match token_positions:
        case None:
            positions = torch.arange(seq, device=in_features.device)[None]
        case Tensor(ndim=1):
            positions = token_positions[None]
        case _:
            positions = torch.arange(seq, device=in_features.device)[None]
    q, k, v = (
        torch.tensordot(in_features, w, dims=([-1], [1])).reshape(*in_features.shape[:-1], num_heads, -1).swapaxes(-2, -3)
        for w in (q_proj_weight, k_proj_weight, v_proj_weight)
    )
    q, k = [rope(d_model // num_heads, theta, max_seq_len, t, positions) for t in (q, k)]
    out = scaled_dot_product_attention(q, k, v).swapaxes(-2, -3).flatten(-2)
    return torch.tensordot(out, o_proj_weight, dims=([-1], [1])).reshape(in_features.shape)
