# Says: `scaled_dot_product_attention` must return two things, the output and the weights.
# Line: 13 or 24
# Names: two, attention_weights
import math

import numpy as np

from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_model = Q.shape[-1]
    K_t = K.transpose(-2, -1)
    scores = Q.matmul(K_t)
    scores = scores * (1.0 / math.sqrt(d_model))
    if mask is not None:
        adder_mask = (1.0 - mask.data) * -1e9
        scores = scores + Tensor(adder_mask, requires_grad=False)
    softmax = Softmax()
    attention_weights = softmax(scores, dim=-1)
    output = attention_weights.matmul(V)
    return output


class MultiHeadAttention:
    def __init__(self, embed_dim: int, num_heads: int):
        if embed_dim % num_heads != 0:
            raise ValueError(f"embed_dim ({embed_dim}) must be divisible by num_heads ({num_heads})")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def forward(self, x, mask=None):
        batch_size, seq_len, embed_dim = x.shape
        Q = self.q_proj.forward(x)
        K = self.k_proj.forward(x)
        V = self.v_proj.forward(x)

        Q = Q.reshape(batch_size, seq_len, self.num_heads, self.head_dim).transpose(1, 2)
        K = K.reshape(batch_size, seq_len, self.num_heads, self.head_dim).transpose(1, 2)
        V = V.reshape(batch_size, seq_len, self.num_heads, self.head_dim).transpose(1, 2)

        mask_reshaped = None
        if mask is not None:
            copies = [np.broadcast_to(mask.data, (batch_size, seq_len, seq_len)) for _ in range(self.num_heads)]
            mask_reshaped = Tensor(np.stack(copies, axis=1))

        attended, _ = scaled_dot_product_attention(Q, K, V, mask=mask_reshaped)

        attended = attended.transpose(1, 2)
        concat_output = attended.reshape(batch_size, seq_len, self.embed_dim)
        return self.out_proj.forward(concat_output)

    def __call__(self, x, mask=None):
        return self.forward(x, mask)

    def parameters(self):
        params = []
        params.extend(self.q_proj.parameters())
        params.extend(self.k_proj.parameters())
        params.extend(self.v_proj.parameters())
        params.extend(self.out_proj.parameters())
        return params
