"""A right answer of the seventh corpus."""
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


from functools import partial
from itertools import chain


def scaled_dot_product_attention(Q, K, V, mask=None, softmax=None):
    softmax = softmax or partial(Softmax().forward, dim=-1)
    scores = (Q / Q.shape[-1] ** 0.25).matmul((K / K.shape[-1] ** 0.25).transpose())
    if mask is not None:
        scores = scores + (mask - 1.0) * 1e9
    weights = softmax(scores)
    return weights.matmul(V), weights


class Module:
    def __call__(self, *args, **kwargs):
        return self.forward(*args, **kwargs)

    def parameters(self):
        layers = [value for value in vars(self).values() if isinstance(value, Linear)]
        return list(chain.from_iterable(layer.parameters() for layer in layers))


class MultiHeadAttention(Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        if (head_dim := embed_dim // num_heads) * num_heads != embed_dim:
            raise ValueError("not divisible")
        vars(self).update(embed_dim=embed_dim, num_heads=num_heads, head_dim=head_dim)
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)
        self.attend = partial(scaled_dot_product_attention)

    def forward(self, x, mask=None):
        batch, seq = x.shape[:2]
        q, k, v = (
            layer(x).reshape(batch, seq, self.num_heads, -1).transpose(1, 2)
            for layer in (self.q_proj, self.k_proj, self.v_proj)
        )
        if mask is not None and mask.ndim == 3:
            mask = mask.reshape(-1, 1, seq, seq)
        y = self.attend(q, k, v, mask=mask)[0]
        return self.out_proj(y.transpose(1, 2).reshape(batch, seq, -1))
