"""Its own softmax subtracts the largest score of the whole tensor, so rows far below it underflow to 0/0."""
# expect: subtracts maximum of whole tensor
import numpy as np
from tinytorch.core.layers import Linear as Dense
from tinytorch.core.tensor import Tensor


def _softmax(x):
    shifted = x - x.data.max()
    e = shifted.exp()
    return e / e.sum(axis=-1, keepdims=True)


def scaled_dot_product_attention(query, key, value, attention_mask=None):
    key_dim = query.shape[-1]
    logits = (query / key_dim**0.5).matmul(key.transpose(-1, -2))
    if attention_mask is not None:
        adder = (1.0 - attention_mask.data.astype(logits.dtype)) * -1e9
        logits = logits + adder
    probs = _softmax(logits)
    return probs.matmul(value), probs


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads != 0:
            raise ValueError("key_dim is not a whole number")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.build()

    def build(self):
        self.q_proj = Dense(self.embed_dim, self.embed_dim)
        self.k_proj = Dense(self.embed_dim, self.embed_dim)
        self.v_proj = Dense(self.embed_dim, self.embed_dim)
        self.out_proj = Dense(self.embed_dim, self.embed_dim)

    def _dense(self, layer, inputs):
        return inputs.matmul(layer.weight) + layer.bias

    def call(self, inputs, attention_mask=None):
        shape = (inputs.shape[0], -1, self.num_heads, self.head_dim)
        query = self._dense(self.q_proj, inputs).reshape(shape).transpose(1, 2)
        key = self._dense(self.k_proj, inputs).reshape(shape).transpose(1, 2)
        value = self._dense(self.v_proj, inputs).reshape(shape).transpose(1, 2)
        if attention_mask is not None:
            # (B, T, S) -> (B, 1, T, S)
            attention_mask = Tensor(np.expand_dims(attention_mask.data, axis=-3))
        context, _ = scaled_dot_product_attention(query, key, value, attention_mask)
        context = context.transpose(1, 2).reshape(inputs.shape)
        return self._dense(self.out_proj, context)

    forward = call

    def parameters(self):
        return [
            self.q_proj.weight, self.q_proj.bias,
            self.k_proj.weight, self.k_proj.bias,
            self.v_proj.weight, self.v_proj.bias,
            self.out_proj.weight, self.out_proj.bias,
        ]
