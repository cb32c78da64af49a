"""A right answer of the seventh corpus."""
from __future__ import annotations

import math
from typing import Optional

import torch
from torch import Tensor, nn
from torch.nn import functional as F


class MultiHeadAttention(nn.Module):
    """Multi-headed attention, adapted from the usual decoder layers."""

    def __init__(
        self,
        d_in: int,
        d_out: int,
        context_length: int,
        dropout: float,
        num_heads: int,
        qkv_bias: bool = False,
        layer_idx: Optional[int] = None,
    ) -> None:
        super().__init__()
        self.embed_dim, self.num_heads, self.layer_idx = d_out, num_heads, layer_idx
        self.head_dim = self.embed_dim // self.num_heads
        if (self.head_dim * num_heads) != self.embed_dim:
            raise ValueError(
                f"embed_dim must be divisible by num_heads (got `embed_dim`: {self.embed_dim} and `num_heads`: {num_heads})."
            )
        self.scaling = self.head_dim**-0.5
        self.attn_dropout = dropout
        self.q_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.k_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.v_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out, bias=True)

    def _shape(self, tensor: Tensor, seq_len: int, bsz: int) -> Tensor:
        return tensor.view(bsz, seq_len, self.num_heads, self.head_dim).transpose(1, 2).contiguous()

    @staticmethod
    def _causal(seq_len: int, dtype: torch.dtype, device: torch.device) -> Tensor:
        mask = torch.full((seq_len, seq_len), torch.finfo(dtype).min, device=device, dtype=dtype)
        cond = torch.arange(seq_len, device=device)
        mask.masked_fill_(cond < (cond + 1).view(seq_len, 1), 0)
        return mask[None, None]

    def forward(self, hidden_states: Tensor) -> Tensor:
        bsz, tgt_len, _ = hidden_states.size()
        query_states = self._shape(self.q_proj(hidden_states) * self.scaling, tgt_len, bsz)
        key_states = self._shape(self.k_proj(hidden_states), -1, bsz)
        value_states = self._shape(self.v_proj(hidden_states), -1, bsz)

        proj_shape = (bsz * self.num_heads, -1, self.head_dim)
        attn = torch.bmm(query_states.view(*proj_shape), key_states.view(*proj_shape).transpose(1, 2))
        attn = attn.view(bsz, self.num_heads, tgt_len, tgt_len) + self._causal(tgt_len, attn.dtype, attn.device)
        attn = F.softmax(attn, dim=-1)
        attn_probs = F.dropout(attn, p=self.attn_dropout, training=self.training)
        out = torch.bmm(attn_probs.view(bsz * self.num_heads, tgt_len, tgt_len), value_states.view(*proj_shape))
        out = out.view(bsz, self.num_heads, tgt_len, self.head_dim).transpose(1, 2)
        return self.out_proj(out.reshape(bsz, tgt_len, self.embed_dim))
