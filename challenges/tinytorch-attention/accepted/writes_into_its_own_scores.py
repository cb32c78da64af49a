"""The mask is written into the data of the scores, which are nobody else's; the softmax gives what is hidden no gradient."""

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.autograd import enable_autograd
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor

enable_autograd()


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
    scale = 1.0 / np.sqrt(Q.shape[-1])
    scores = Q.matmul(K.transpose(-2, -1)) * scale
    if mask is not None:
        forbidden = np.broadcast_to(mask.data, scores.shape) == 0
        scores.data[forbidden] = -1e9
    weights = Softmax()(scores, dim=-1)
    return weights.matmul(V), weights


class MultiHeadAttention:
    def __init__(self, embed_dim: int, num_heads: int):
        if embed_dim % num_heads != 0:
            raise ValueError(f"embed_dim {embed_dim} is not a multiple of num_heads {num_heads}")
        self.embed_dim, self.num_heads = embed_dim, num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj, self.k_proj = Linear(embed_dim, embed_dim), Linear(embed_dim, embed_dim)
        self.v_proj, self.out_proj = Linear(embed_dim, embed_dim), Linear(embed_dim, embed_dim)
        self._parameters = [
            p for layer in (self.q_proj, self.k_proj, self.v_proj, self.out_proj) for p in layer.parameters()
        ]

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        batch_size, seq_len, embed_dim = x.shape
        split = (batch_size, seq_len, self.num_heads, self.head_dim)
        Q = self.q_proj.forward(x).reshape(split).transpose(1, 2)
        K = self.k_proj.forward(x).reshape(split).transpose(1, 2)
        V = self.v_proj.forward(x).reshape(split).transpose(1, 2)
        mask4 = None
        if mask is not None:
            mask4 = (
                mask.reshape(1, 1, seq_len, seq_len)
                if mask.ndim == 2
                else mask.reshape(mask.shape[0], 1, seq_len, seq_len)
            )
        out, _ = scaled_dot_product_attention(Q, K, V, mask4)
        out = out.transpose(1, 2).reshape(batch_size, seq_len, embed_dim)
        return self.out_proj.forward(out)

    def parameters(self) -> list[Tensor]:
        return self._parameters
