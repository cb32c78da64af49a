"""A right answer of the seventh corpus."""
import torch
from torch import nn
from torch.func import functional_call


class _MHA(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        if d_model % num_heads:
            raise ValueError(f"{d_model=} is not a multiple of {num_heads=}")
        self.h, self.dk = num_heads, d_model // num_heads
        with torch.device("meta"):
            self.in_proj = nn.Linear(d_model, 3 * d_model, bias=False)
            self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def _split(self, t):
        return t.unflatten(-1, (self.h, self.dk)).transpose(1, 2)

    def forward(self, q, k, v, hidden):
        wq, wk, wv = self.in_proj.weight.tensor_split(3)
        q, k, v = self._split(q @ wq.mT), self._split(k @ wk.mT), self._split(v @ wv.mT)
        scores = q @ k.mT / self.dk**0.5
        if hidden is not None:
            scores = torch.where(hidden, torch.full_like(scores, -torch.inf), scores)
        heads = scores.softmax(-1) @ v
        return self.out_proj(heads.transpose(1, 2).flatten(-2))


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if mask is not None:
        mask = mask.to(bool)
        mask = mask.unsqueeze(-3)
    net = _MHA(d_model, num_heads)
    params = {"in_proj.weight": in_proj_weight, "out_proj.weight": out_proj_weight}
    return functional_call(net, params, (q, k, v, mask))
