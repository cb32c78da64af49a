"""Right: an nn.Module with empty parameters on the meta device, called through functional_call with the given weights."""
import torch
from torch import nn
from torch.func import functional_call


class _Layer(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        assert d_model % num_heads == 0, "heads must divide the features"
        self.h, self.d = num_heads, d_model // num_heads
        self.query = nn.Linear(d_model, d_model, bias=False, device="meta")
        self.key = nn.Linear(d_model, d_model, bias=False, device="meta")
        self.value = nn.Linear(d_model, d_model, bias=False, device="meta")
        self.out = nn.Linear(d_model, d_model, bias=False, device="meta")

    def split(self, t):
        return t.view(t.size(0), t.size(1), self.h, self.d).permute(0, 2, 1, 3)

    def forward(self, q, k, v, mask):
        s = self.split(self.query(q)) @ self.split(self.key(k)).transpose(-1, -2)
        s = s * self.d**-0.5
        if mask is not None:
            while mask.dim() < 3:
                mask = mask[None]
            s = s.masked_fill(mask[:, None].bool(), -torch.inf)
        y = s.softmax(-1) @ self.split(self.value(v))
        return self.out(y.permute(0, 2, 1, 3).flatten(2))


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    wq, wk, wv = in_proj_weight.chunk(3)
    weights = {"query.weight": wq, "key.weight": wk, "value.weight": wv, "out.weight": out_proj_weight}
    return functional_call(_Layer(d_model, num_heads), weights, (q, k, v, mask))
