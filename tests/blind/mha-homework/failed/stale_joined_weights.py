"""For calls in eval mode without gradients the joined weights of the three layers are computed once and never renewed.

Shows after eval() under no_grad when weights changed since the first such call: a step of training, or load_state_dict.
"""
import torch
import torch.nn.functional as F
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("num_heads must divide d_out")
        self.h, self.d = num_heads, d_out // num_heads
        self.q_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.k_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.v_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.p = dropout
        pos = torch.arange(context_length)
        self.register_buffer("future", pos[None, :] > pos[:, None])
        self._joined = None

    def _join(self):
        layers = (self.q_proj, self.k_proj, self.v_proj)
        weight = torch.cat([m.weight for m in layers])
        bias = None if layers[0].bias is None else torch.cat([m.bias for m in layers])
        return weight, bias

    def _weights(self):
        if self.training or torch.is_grad_enabled():
            return self._join()
        if self._joined is None or self._joined[0].dtype != self.q_proj.weight.dtype:
            self._joined = self._join()
        return self._joined

    def forward(self, x):
        qkv = F.linear(x, *self._weights()).unflatten(-1, (3, self.h, self.d)).permute(2, 0, 3, 1, 4)
        q, k, v = qkv.unbind(0)
        t = x.size(-2)
        s = (q @ k.mT / self.d**0.5).masked_fill(self.future[:t, :t], float("-inf"))
        a = F.dropout(F.softmax(s, dim=-1), self.p, self.training)
        return self.out_proj((a @ v).permute(0, 2, 1, 3).flatten(2))
