"""Softmax and average in nodes of our own, which record when the queries do.

Wrong: the average is recorded only when the weights want a gradient; if V alone wants one there is none.
Condition: requires_grad on V, and neither on Q nor on K.
Spec: "A call may want gradients of any of them, and of the others not."
"""

import numpy as np
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def _softmax_node(scores, hidden):
    numbers = scores.data
    if hidden is not None:
        numbers = np.where(hidden, -np.inf, numbers)
    numbers = np.exp(numbers - numbers.max(axis=-1, keepdims=True))
    p = numbers / numbers.sum(axis=-1, keepdims=True)
    node = Tensor(p)

    def back(g):
        return p * (g - (g * p).sum(axis=-1, keepdims=True))

    if scores.requires_grad:
        node.sources = ((scores, back),)
        node.requires_grad = True
    return node


def scaled_dot_product_attention(Q, K, V, mask=None):
    scale = 1.0 / np.sqrt(Q.shape[-1])
    scores = (Q * float(scale)) @ K.transpose()
    hidden = None if mask is None else np.broadcast_to(mask.data == 0.0, scores.shape)
    weights = _softmax_node(scores, hidden)
    if weights.requires_grad:
        return weights @ V, weights
    return Tensor(weights.data @ V.data), weights


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads:
            raise ValueError("embed_dim % num_heads must be 0")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def forward(self, x, mask=None):
        batch, seq, _ = x.shape
        shape = (batch, seq, self.num_heads, self.head_dim)
        q = (x @ self.q_proj.weight + self.q_proj.bias).reshape(shape).transpose(1, 2)
        k = (x @ self.k_proj.weight + self.k_proj.bias).reshape(shape).transpose(1, 2)
        v = (x @ self.v_proj.weight + self.v_proj.bias).reshape(shape).transpose(1, 2)
        per_head = None if mask is None else mask.reshape(-1, 1, seq, seq)
        out, _ = scaled_dot_product_attention(q, k, v, per_head)
        out = out.transpose(1, 2).reshape(batch, seq, self.embed_dim)
        return out @ self.out_proj.weight + self.out_proj.bias

    def parameters(self):
        return [
            self.q_proj.weight, self.q_proj.bias,
            self.k_proj.weight, self.k_proj.bias,
            self.v_proj.weight, self.v_proj.bias,
            self.out_proj.weight, self.out_proj.bias,
        ]
