"""A right answer of the seventh corpus."""
import math
from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass
class AttentionConfig:
    num_heads: int
    d_model: int
    alibi: bool = False
    relative_bias: Tensor | None = None
    logit_softcap: float | None = None

    def __post_init__(self):
        if self.d_model % self.num_heads:
            raise ValueError("d_model % num_heads must be 0")

    @property
    def d_kv(self) -> int:
        return self.d_model // self.num_heads


def alibi_slopes(n: int) -> Tensor:
    start = 2.0 ** (-8.0 / n)
    return torch.tensor([start ** (i + 1) for i in range(n)])


class Attention:
    def __init__(self, config: AttentionConfig):
        self.config = config

    def bias(self, q: Tensor, k: Tensor, mask: Tensor | None) -> Tensor | None:
        total = None
        if self.config.alibi:
            distance = torch.arange(k.shape[-2])[None, :] - torch.arange(q.shape[-2])[:, None]
            total = alibi_slopes(self.config.num_heads)[:, None, None] * distance
        if self.config.relative_bias is not None:
            total = self.config.relative_bias if total is None else total + self.config.relative_bias
        if mask is not None:
            m = torch.zeros(mask.shape, dtype=q.dtype, device=q.device)
            m = m.masked_fill(mask.bool(), -math.inf).unsqueeze(-3)
            total = m if total is None else total + m
        return total

    def __call__(self, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None) -> Tensor:
        scores = torch.matmul(q, k.transpose(3, 2)) / math.sqrt(self.config.d_kv)
        if self.config.logit_softcap:
            scores = self.config.logit_softcap * torch.tanh(scores / self.config.logit_softcap)
        if (position_bias := self.bias(q, k, mask)) is not None:
            scores = scores + position_bias
        attn_weights = torch.nn.functional.softmax(scores, dim=-1).type_as(scores)
        return torch.matmul(attn_weights, v)


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    cfg = AttentionConfig(num_heads=num_heads, d_model=d_model)

    def shape(states):
        return states.view(states.shape[0], -1, cfg.num_heads, cfg.d_kv).transpose(1, 2)

    def unshape(states):
        return states.transpose(1, 2).contiguous().view(states.shape[0], -1, cfg.d_model)

    query = shape(q.matmul(in_proj_weight[:d_model].t()))
    key = shape(k.matmul(in_proj_weight[d_model : 2 * d_model].t()))
    value = shape(v.matmul(in_proj_weight[2 * d_model :].t()))
    return unshape(Attention(cfg)(query, key, value, mask)).matmul(out_proj_weight.t())
