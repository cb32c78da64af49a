import math
from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass
class Weights:
    q: Tensor
    k: Tensor
    v: Tensor
    o: Tensor

    @classmethod
    def of(cls, in_proj: Tensor, out_proj: Tensor) -> "Weights":
        return cls(*in_proj.unflatten(0, (3, -1)).unbind(0), out_proj)


class Attention:
    def __init__(self, weights: Weights, heads: int):
        self.w, self.heads = weights, heads

    def project(self, x: Tensor, w: Tensor) -> Tensor:
        n, length, d = x.shape
        # (d, heads, e): the features of a head are neighbours in the rows of w
        return torch.tensordot(x, w.reshape(self.heads, -1, d), dims=([2], [2])).permute(0, 2, 1, 3)

    def __call__(self, q: Tensor, k: Tensor, v: Tensor, hidden: Tensor | None) -> Tensor:
        Q, K, V = self.project(q, self.w.q), self.project(k, self.w.k), self.project(v, self.w.v)
        logits = torch.einsum("nhqe,nhke->nhqk", Q, K) * (1 / math.sqrt(Q.shape[3]))
        if hidden is not None:
            logits = logits + hidden
        shifted = logits - logits.max(dim=3, keepdim=True).values.detach()
        top = torch.exp(shifted)
        out = torch.einsum("nhqk,nhke->nqhe", top, V) / top.sum(3).transpose(1, 2).unsqueeze(-1)
        return out.reshape(q.shape) @ self.w.o.T


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if num_heads * (d_model // num_heads) != d_model:
        raise ValueError("d_model / num_heads is not whole")
    hidden = None
    if mask is not None:
        hidden = torch.zeros(mask.shape, dtype=q.dtype, device=q.device)
        hidden[mask != 0] = -math.inf
        hidden = hidden.view(1, 1, *hidden.shape) if hidden.dim() == 2 else hidden[:, None]
    return Attention(Weights.of(in_proj_weight, out_proj_weight), num_heads)(q, k, v, hidden)
