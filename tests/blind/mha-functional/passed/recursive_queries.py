"""A right answer of the seventh corpus."""
import torch
from torch import Tensor


def _attend(q: Tensor, k: Tensor, v: Tensor, hidden: Tensor | None) -> Tensor:
    if q.shape[-2] > 8:
        half = q.shape[-2] // 2
        top = None if hidden is None else hidden[..., :half, :]
        bottom = None if hidden is None else hidden[..., half:, :]
        return torch.cat((_attend(q[..., :half, :], k, v, top), _attend(q[..., half:, :], k, v, bottom)), dim=-2)
    scores = q @ k.transpose(-2, -1)
    if hidden is not None:
        scores = scores.masked_fill(hidden, torch.finfo(scores.dtype).min)
    scores = scores - scores.max(dim=-1, keepdim=True).values
    weights = scores.exp()
    return weights @ v / weights.sum(dim=-1, keepdim=True)


def multi_head_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    heads: int,
    width: int,
    hidden: Tensor | None = None,
    *,
    in_proj_weight: Tensor,
    out_proj_weight: Tensor,
    return_dtype: torch.dtype | None = None,
) -> Tensor:
    size, remainder = divmod(width, heads)
    if remainder:
        raise ValueError(f"cannot share {width} features among {heads} heads")

    if hidden is not None:
        hidden = (hidden > 0.5).expand(len(query), query.size(1), key.size(1))[:, None]

    def project(x: Tensor, index: int) -> Tensor:
        weight = in_proj_weight.narrow(0, index * width, width)
        return torch.tensordot(x, weight, dims=([-1], [-1])).reshape(*x.shape[:2], heads, size).transpose(1, 2)

    out = _attend(project(query, 0) / size**0.5, project(key, 1), project(value, 2), hidden)
    out = out.transpose(1, 2).reshape(query.shape)
    result = torch.nn.functional.linear(out, out_proj_weight)
    return result if return_dtype is None else result.to(return_dtype)
