import math

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor

NEG_INF = float("-inf")


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
    """Strictly (batch, seq, d). Hidden scores become minus infinity.

    >>> x = Tensor([[[1.0, 0.0], [0.0, 1.0]]])
    >>> scaled_dot_product_attention(x, x, x)[1].shape
    (1, 2, 2)
    """
    if not (Q.ndim == K.ndim == V.ndim == 3):
        raise ValueError("Q, K and V must have three axes")
    scores = (Q * (1.0 / math.sqrt(Q.shape[-1]))) @ K.transpose()
    if mask is not None:
        hidden = np.where(np.asarray(mask.data) == 0, NEG_INF, 0.0).astype(np.float32)
        scores = scores + Tensor(hidden)
    probabilities = Softmax().forward(scores)
    return probabilities @ V, probabilities


class MultiHeadAttention:
    """The heads are folded into the batch: (batch, seq, embed) -> (batch * heads, seq, head)."""

    def __init__(self, embed_dim: int, num_heads: int) -> None:
        assert embed_dim % num_heads == 0, f"{num_heads} heads do not divide {embed_dim} features"
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, embed_dim // num_heads
        for name in ("q_proj", "k_proj", "v_proj", "out_proj"):
            setattr(self, name, Linear(embed_dim, embed_dim))

    def _fold(self, t: Tensor) -> Tensor:
        n, s, _ = t.shape
        four = t.reshape(n, s, self.num_heads, self.head_dim).transpose(1, 2)
        return four.reshape(n * self.num_heads, s, self.head_dim)

    def _unfold(self, t: Tensor, n: int, s: int) -> Tensor:
        four = t.reshape(n, self.num_heads, s, self.head_dim).transpose(1, 2)
        return four.reshape(n, s, self.embed_dim)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        n, s, _ = x.shape
        q, k, v = (self._fold(p.forward(x)) for p in (self.q_proj, self.k_proj, self.v_proj))
        if mask is not None:
            whole = np.broadcast_to(mask.data, (n, s, s))
            mask = Tensor(np.repeat(whole, self.num_heads, axis=0))
        out, _ = scaled_dot_product_attention(q, k, v, mask=mask)
        return self.out_proj.forward(self._unfold(out, n, s))

    def parameters(self) -> list[Tensor]:
        return [t for p in (self.q_proj, self.k_proj, self.v_proj, self.out_proj) for t in (p.weight, p.bias)]


if __name__ == "__main__":
    import doctest

    doctest.testmod()
