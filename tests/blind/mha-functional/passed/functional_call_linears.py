"""Right: four nn.Linear without bias in a module, and functional_call puts the weights of the caller into them."""
import torch
from torch import nn
from torch.func import functional_call


class _Attention(nn.Module):
    def __init__(self, d_model, num_heads, **kw):
        super().__init__()
        self.h = num_heads
        self.wq = nn.Linear(d_model, d_model, bias=False, **kw)
        self.wk = nn.Linear(d_model, d_model, bias=False, **kw)
        self.wv = nn.Linear(d_model, d_model, bias=False, **kw)
        self.wo = nn.Linear(d_model, d_model, bias=False, **kw)
        self.register_buffer("minus_inf", torch.tensor(float("-inf"), **kw), persistent=False)

    def split(self, t):
        return t.unflatten(2, (self.h, -1)).permute(0, 2, 1, 3)

    def forward(self, q, k, v, hidden=None):
        q, k, v = self.split(self.wq(q)), self.split(self.wk(k)), self.split(self.wv(v))
        s = q.matmul(k.transpose(2, 3)).div(q.shape[-1] ** 0.5)
        if hidden is not None:
            s = torch.where(hidden, self.minus_inf, s)
        return self.wo(s.softmax(3).matmul(v).permute(0, 2, 1, 3).flatten(2, 3))


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("d_model must be divisible by num_heads")
    layer = _Attention(d_model, num_heads, dtype=q.dtype, device="meta")
    wq, wk, wv = in_proj_weight.unflatten(0, (3, d_model))
    given = {"wq.weight": wq, "wk.weight": wk, "wv.weight": wv, "wo.weight": out_proj_weight}
    given["minus_inf"] = q.new_tensor(float("-inf"))
    hidden = None if mask is None else mask.bool().unsqueeze(-3)
    return functional_call(layer, given, (q, k, v, hidden))
