"""Axes of size 1 are dropped from the output.

squeeze() without an axis removes every axis of size 1: a batch of one, a single token. The result of CausalAttention
always has three axes, (batch, tokens, d_out).
"""


class CausalAttention(CausalAttention):
    def forward(self, x):
        return attend(self, *project_qkv(self, x)).squeeze()
