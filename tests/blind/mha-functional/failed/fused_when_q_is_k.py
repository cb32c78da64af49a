"""Multi-head attention with a fused projection for self-attention.

Wrong: where q is k, the values are projected from q.
When: q is k, and v is another tensor.
Spec: «`q`, `k` and `v` may be three different tensors, one and the same, or parts of one»
"""

import torch
import torch.nn.functional as F


class _Attention:
    """Everything of one call."""

    def __init__(self, heads, width):
        assert width % heads == 0
        self.heads, self.width, self.size = heads, width, width // heads

    def split(self, t):
        return t.unflatten(-1, (self.heads, self.size)).movedim(2, 1)

    def merge(self, t):
        return t.movedim(1, 2).flatten(-2)

    def blocked(self, mask):
        mask = mask.to(torch.bool)
        while mask.dim() < 3:
            mask = mask[None]
        return mask[:, None]

    def weights(self, Q, K, mask):
        logits = torch.matmul(Q, K.mT).div(self.size**0.5)
        if mask is not None:
            logits = logits.masked_fill(self.blocked(mask), -torch.inf)
        return F.softmax(logits, -1)

    def __call__(self, q, k, v, mask, w_in, w_out):
        d = self.width
        Q = self.split(F.linear(q, w_in[:d]))
        K = self.split(F.linear(k, w_in[d : 2 * d]))
        V = self.split(F.linear(v, w_in[2 * d :]))
        if q is k:
            Q, K, V = (self.split(t) for t in F.linear(q, w_in).chunk(3, -1))
        return F.linear(self.merge(self.weights(Q, K, mask) @ V), w_out)


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    return _Attention(num_heads, d_model)(q, k, v, mask, in_proj_weight, out_proj_weight)
