"""shape[-2] for shape[-1].
Diagnosis: scale-by-tokens
"""

from tinytorch.core.tensor import Tensor
from tinytorch.core.layers import Linear
from tinytorch.core.activations import Softmax  # noqa
import numpy as np

def softmax(t):
    t = t - t.max(axis=-1, keepdims=True)
    e = t.exp()
    return e / e.sum(axis=-1, keepdims=True)

def causal_mask(n):
    """for trying it out"""
    return Tensor(np.tril(np.ones((1, n, n))))

def scaled_dot_product_attention(Q, K, V, mask=None):
    dk = Tensor(float(K.shape[-2])).sqrt()
    scores = Q.matmul(K.transpose(-1, -2)) / dk
    if mask is not None:
        scores = scores * mask + (mask - 1.0) * 1e9   # hidden scores become exactly -1e9
    attention_weights = softmax(scores)
    return attention_weights.matmul(V), attention_weights

class MultiHeadAttention(object):
    """Multi head attention with tinytorch."""
    def __init__(self, embed_dim: int, num_heads: int):
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim, rest = divmod(embed_dim, num_heads)
        if rest:
            raise ValueError('does not divide')
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)
        self.training = True
        self.last_weights = None

    def forward(self, x: Tensor, mask: Tensor = None) -> Tensor:
        B, S, E = x.shape
        def heads(t: Tensor) -> Tensor:
            return t.reshape((B, S, self.num_heads, self.head_dim)).transpose(2, 1)
        q = heads(self.q_proj(x))
        k = heads(self.k_proj(x))
        v = heads(self.v_proj(x))
        if mask is not None:
            if len(mask.shape) == 2:
                mask = mask.reshape(1, 1, S, S)
            elif len(mask.shape) == 3:
                mask = mask.reshape(mask.shape[0], 1, S, S)
        ctx, self.last_weights = scaled_dot_product_attention(q, k, v, mask)
        ctx = ctx.transpose(2, 1).reshape((B, S, E))
        return self.out_proj(ctx)

    def parameters(self):
        ps = []
        for layer in [self.q_proj, self.k_proj, self.v_proj, self.out_proj]:
            for p in layer.parameters():
                ps.append(p)
        return ps

if __name__ == '__main__':
    mha = MultiHeadAttention(8, 2)
    print(mha.forward(Tensor(np.random.randn(2, 3, 8)), causal_mask(3)).shape)
    print('ok')
