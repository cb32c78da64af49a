"""match picks what to do for each rank of positions; a NamedTuple carries queries, keys and values."""

from typing import NamedTuple

import torch
from torch import Tensor


class QKV(NamedTuple):
    q: Tensor
    k: Tensor
    v: Tensor

    def rotated(self, d_k: int, theta: float, longest: int, positions: Tensor) -> "QKV":
        return self._replace(
            q=rope(d_k, theta, longest, self.q, positions),
            k=rope(d_k, theta, longest, self.k, positions),
        )


def rope(d_k: int, theta: float, max_seq_len: int, in_query_or_key: Tensor, token_positions: Tensor) -> Tensor:
    x = in_query_or_key
    log_theta = torch.tensor(float(theta), dtype=torch.float64, device=x.device).log()
    angle = token_positions.double()[..., None] * torch.exp(-log_theta * torch.arange(0, d_k, 2, device=x.device) / d_k)
    # Polar coordinates would lose the gradient at zero, so use (x + iy)(cos + i sin) written out.
    cos, sin = (f(angle).to(x.dtype)[..., None] for f in (torch.cos, torch.sin))
    pair = x.unflatten(-1, (-1, 2))
    return torch.cat((pair[..., :1] * cos - pair[..., 1:] * sin, pair[..., :1] * sin + pair[..., 1:] * cos), -1).flatten(-2)


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Tensor:
    scores = Q @ K.mT / Q.shape[-1] ** 0.5
    match mask:
        case None:
            pass
        case Tensor(dtype=torch.bool):
            scores = scores.masked_fill(~mask, -torch.inf)
        case _:
            raise TypeError("mask must be boolean")
    return scores.softmax(-1) @ V


def positions_for_heads(positions: Tensor | None, like: Tensor) -> Tensor:
    seq = like.shape[-2]
    match (None if positions is None else positions.ndim, like.ndim):
        case (None, _):
            return torch.arange(seq, device=like.device)
        case (1, _):
            return positions
        case (2, 2):
            return positions.squeeze(0)
        case _:
            return positions.unsqueeze(-2)


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    d_head, remainder = divmod(d_model, num_heads)
    if remainder:
        raise ValueError(f"{remainder} of {d_model} features would be left over")
    weights = (q_proj_weight, k_proj_weight, v_proj_weight)
    parts = QKV(*((in_features @ w.T).unflatten(-1, (num_heads, d_head)).transpose(-3, -2) for w in weights))
    parts = parts.rotated(d_head, theta, max_seq_len, positions_for_heads(token_positions, in_features))
    seq = in_features.shape[-2]
    mask = torch.full((seq, seq), True, device=in_features.device).tril()
    return scaled_dot_product_attention(*parts, mask).transpose(-3, -2).flatten(-2) @ o_proj_weight.T
