"""Linear layers of nn, called with the weights given."""

from torch import nn
from torch.func import functional_call


class SwiGLU(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.w1 = nn.Linear(d_model, d_ff, bias=False)
        self.w2 = nn.Linear(d_ff, d_model, bias=False)
        self.w3 = nn.Linear(d_model, d_ff, bias=False)

    def forward(self, x):
        gate = self.w1(x)
        return self.w2(gate * gate.sigmoid() * self.w3(x))


def swiglu_ffn(x, w1, w2, w3):
    d_ff, d_model = w1.shape
    weights = {"w1.weight": w1, "w2.weight": w2, "w3.weight": w3}
    return functional_call(SwiGLU(d_model, d_ff), weights, (x,))
