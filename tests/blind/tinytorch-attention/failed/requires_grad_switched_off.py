"""Switches off requires_grad of the mask and of x to save time."""

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None):
    # how wide are the vectors?
    d = Q.shape[-1]
    print("d =", d)
    # swap the last two axes of K
    K_T = K.transpose()
    # similarity of each query with each key
    scores = Q @ K_T
    # make them smaller
    scores = scores / (d**0.5)
    # 0 in the mask means: not allowed
    if mask is not None:
        very_negative = (1 - mask.data) * (-1e9)
        scores = scores + Tensor(very_negative)
    # rows that add up to 1
    softmax = Softmax()
    attention_weights = softmax(scores, dim=-1)
    # average of the values
    output = attention_weights @ V
    print("output", output.shape)
    return output, attention_weights


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        # must be possible to divide
        if embed_dim % num_heads != 0:
            raise ValueError("embed_dim must be divisible by num_heads")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        # the four layers
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def forward(self, x, mask=None):
        batch = x.shape[0]
        seq = x.shape[1]
        if mask is not None:
            mask.requires_grad = False
        x.requires_grad = False
        # 1. project
        q = self.q_proj(x)
        k = self.k_proj(x)
        v = self.v_proj(x)
        # 2. split
        q = q.reshape(batch, seq, self.num_heads, self.head_dim)
        k = k.reshape(batch, seq, self.num_heads, self.head_dim)
        v = v.reshape(batch, seq, self.num_heads, self.head_dim)
        q = q.transpose(1, 2)
        k = k.transpose(1, 2)
        v = v.transpose(1, 2)
        # 3. attend
        if mask is not None:
            if len(mask.shape) == 3:
                mask = Tensor(mask.data[:, np.newaxis, :, :])
        out, weights = scaled_dot_product_attention(q, k, v, mask)
        print("weights", weights.shape)
        # 4. merge
        out = out.transpose(1, 2)
        out = out.reshape(batch, seq, self.embed_dim)
        # 5. project
        out = self.out_proj(out)
        return out

    def __call__(self, x, mask=None):
        return self.forward(x, mask)

    def parameters(self):
        params = []
        params.append(self.q_proj.weight)
        params.append(self.q_proj.bias)
        params.append(self.k_proj.weight)
        params.append(self.k_proj.bias)
        params.append(self.v_proj.weight)
        params.append(self.v_proj.bias)
        params.append(self.out_proj.weight)
        params.append(self.out_proj.bias)
        return params
