"""einops and jaxtyping, with a validator as a decorator and an example under __main__."""

import functools

import torch
from einops import einsum, rearrange, repeat
from jaxtyping import Float, Shaped
from torch import Tensor


def checked(function):
    """Refuse a number of heads that does not divide d_model."""

    @functools.wraps(function)
    def wrapper(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
        if d_model % num_heads:
            raise ValueError(f"num_heads = {num_heads} does not divide d_model = {d_model}")
        return function(q, k, v, num_heads, d_model, mask, in_proj_weight=in_proj_weight, out_proj_weight=out_proj_weight)

    return wrapper


@checked
def multi_head_attention(
    q: Float[Tensor, "n q d"],
    k: Float[Tensor, "n k d"],
    v: Float[Tensor, "n k d"],
    num_heads: int,
    d_model: int,
    mask: Shaped[Tensor, "..."] | None = None,
    *,
    in_proj_weight: Float[Tensor, "three_d d"],
    out_proj_weight: Float[Tensor, "d d"],
) -> Float[Tensor, "n q d"]:
    w_q, w_k, w_v = rearrange(in_proj_weight, "(three h e) d -> three h e d", three=3, h=num_heads)
    queries = einsum(q, w_q, "n q d, h e d -> n h q e")
    keys = einsum(k, w_k, "n k d, h e d -> n h k e")
    values = einsum(v, w_v, "n k d, h e d -> n h k e")
    scores = einsum(queries, keys, "n h q e, n h k e -> n h q k") / (d_model // num_heads) ** 0.5
    if mask is not None:
        mask = torch.broadcast_to(mask, (q.shape[0], q.shape[1], k.shape[1]))
        scores = scores.masked_fill(repeat(mask != 0, "n q k -> n h q k", h=num_heads), -torch.inf)
    heads = einsum(scores.softmax(dim=-1), values, "n h q k, n h k e -> n h q e")
    return einsum(heads, rearrange(out_proj_weight, "o (h e) -> o h e", h=num_heads), "n h q e, o h e -> n q o")


if __name__ == "__main__":
    x, eye = torch.eye(2)[None], torch.eye(2)
    print(multi_head_attention(x, x, x, 1, 2, torch.tensor([[False, True], [False, False]]), in_proj_weight=torch.cat([eye] * 3), out_proj_weight=eye))
