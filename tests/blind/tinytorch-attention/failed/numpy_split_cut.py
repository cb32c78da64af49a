"""The split goes through .data and a new Tensor, so the projections before it never learn."""
# expect: history is cut by .data
import math
from typing import List, Optional, Tuple

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor

# A large negative value that acts as minus infinity
MASK_VALUE = -1e9


def scaled_dot_product_attention(
    Q: Tensor, K: Tensor, V: Tensor, mask: Optional[Tensor] = None
) -> Tuple[Tensor, Tensor]:
    """Compute scaled dot-product attention.

    Returns:
        A tuple of (output, attention_weights).
    """
    # Step 1: Similarity of queries and keys
    scale = math.sqrt(K.shape[-1])
    scores = Q.matmul(K.transpose(-2, -1)) / scale

    # Step 2: Mask
    if mask is not None:
        scores = scores * mask + (1.0 - mask) * MASK_VALUE

    # Step 3: Probabilities
    attention_weights = Softmax()(scores, dim=-1)

    # Step 4: Weighted sum
    output = attention_weights.matmul(V)
    return output, attention_weights


class MultiHeadAttention:
    """Multi-head attention on top of tinytorch."""

    def __init__(self, embed_dim: int, num_heads: int):
        if num_heads <= 0 or embed_dim % num_heads != 0:
            raise ValueError(f"embed_dim ({embed_dim}) must be divisible by num_heads ({num_heads})")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def _split_heads(self, t: Tensor) -> Tensor:
        batch, seq, _ = t.shape
        t = t.data.reshape(batch, seq, self.num_heads, self.head_dim)
        return Tensor(t.transpose(0, 2, 1, 3), requires_grad=True)

    def _merge_heads(self, t: Tensor) -> Tensor:
        batch, _, seq, _ = t.shape
        t = t.transpose(1, 2)
        return t.reshape(batch, seq, self.embed_dim)

    def forward(self, x: Tensor, mask: Optional[Tensor] = None) -> Tensor:
        q = self._split_heads(self.q_proj(x))
        k = self._split_heads(self.k_proj(x))
        v = self._split_heads(self.v_proj(x))

        if mask is not None and mask.ndim == 3:
            mask = Tensor(mask.data[:, np.newaxis, :, :])

        context, _ = scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(self._merge_heads(context))

    def __call__(self, x: Tensor, mask: Optional[Tensor] = None) -> Tensor:
        return self.forward(x, mask)

    def parameters(self) -> List[Tensor]:
        params: List[Tensor] = []
        for layer in (self.q_proj, self.k_proj, self.v_proj, self.out_proj):
            params.extend(layer.parameters())
        return params


def main() -> None:
    np.random.seed(0)
    mha = MultiHeadAttention(8, 2)
    x = Tensor(np.random.randn(2, 5, 8))
    out = mha.forward(x)
    assert out.shape == (2, 5, 8)
    print("OK")


if __name__ == "__main__":
    main()
