"""A frozen dataclass keeps cosine and sine tables in an lru_cache whose key is everything they depend on."""

from dataclasses import dataclass
from functools import lru_cache

import torch
from torch import Tensor


@dataclass(frozen=True)
class Tables:
    d_k: int
    theta: float
    length: int
    dtype: torch.dtype
    device: torch.device

    @lru_cache(maxsize=16)
    def cos_sin(self) -> tuple[Tensor, Tensor]:
        # A cached tensor must also serve later calls that need gradients.
        with torch.inference_mode(False):
            step = torch.arange(0, self.d_k, 2, dtype=torch.float64, device=self.device) / self.d_k
            turns = torch.outer(torch.arange(self.length, device=self.device).double(), self.theta**-step)
            return turns.cos().to(self.dtype), turns.sin().to(self.dtype)


def rope(d_k: int, theta: float, max_seq_len: int, in_query_or_key: Tensor, token_positions: Tensor) -> Tensor:
    x = in_query_or_key
    longest = max(max_seq_len, int(token_positions.max()) + 1)
    cos, sin = (t[token_positions.long()] for t in Tables(d_k, float(theta), longest, x.dtype, x.device).cos_sin())
    first, second = x.reshape(*x.shape[:-1], -1, 2).unbind(-1)
    return torch.stack((first * cos - second * sin, first * sin + second * cos), -1).reshape(x.shape)


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Tensor:
    scores = Q / Q.shape[-1] ** 0.5 @ K.transpose(-1, -2)
    if mask is not None:
        scores = scores + torch.zeros_like(mask, dtype=scores.dtype).masked_fill(~mask, -torch.inf)
    return scores.softmax(-1) @ V


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    d_head, rest = divmod(d_model, num_heads)
    if rest:
        raise ValueError(f"d_model = {d_model} is no multiple of num_heads = {num_heads}")
    seq = in_features.size(-2)
    if token_positions is None:
        token_positions = torch.arange(seq, device=in_features.device)
    token_positions = token_positions.view(seq) if token_positions.numel() == seq else token_positions.unsqueeze(-2)

    def project(weight: Tensor, rotate: bool) -> Tensor:
        t = (in_features @ weight.T).unflatten(-1, (num_heads, d_head)).transpose(-3, -2)
        return rope(d_head, theta, max_seq_len, t, token_positions) if rotate else t

    out = scaled_dot_product_attention(project(q_proj_weight, True), project(k_proj_weight, True), project(v_proj_weight, False))
    return out.transpose(-3, -2).flatten(-2) @ o_proj_weight.T
