# Wrong: one maximum of the whole tensor is taken off, so rows far below it are 0 / 0.
import numpy as np
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def row_softmax(scores):
	top = Tensor(np.max(scores.data, keepdims=True))
	e = (scores - top).exp()
	return e / e.sum(axis=-1, keepdims=True)


def scaled_dot_product_attention(Q, K, V, mask=None):
	scores = (Q @ K.transpose(-2, -1)) * (Q.shape[-1] ** -0.5)
	if mask is not None:
		bias = np.where(np.asarray(mask.data) == 0, -np.inf, 0.0).astype(scores.data.dtype)
		scores = scores + bias
	weights = row_softmax(scores)
	return weights @ V, weights


class MultiHeadAttention:
	def __init__(self, embed_dim, num_heads):
		assert embed_dim % num_heads == 0, "num_heads must divide embed_dim"
		self.embed_dim, self.num_heads = embed_dim, num_heads
		self.head_dim = embed_dim // num_heads
		for name in ("q_proj", "k_proj", "v_proj", "out_proj"):
			setattr(self, name, Linear(embed_dim, embed_dim))

	def heads(self, t):
		b, s, _ = t.shape
		return t.reshape(b, s, self.num_heads, self.head_dim).transpose(1, 2)

	def forward(self, x, mask=None):
		b, s, _ = x.shape
		if mask is not None:
			m = mask.data
			while m.ndim < 3:
				m = m[None]
			mask = Tensor(m[:, None])
		y, _ = scaled_dot_product_attention(self.heads(self.q_proj(x)), self.heads(self.k_proj(x)), self.heads(self.v_proj(x)), mask)
		return self.out_proj(y.transpose(1, 2).reshape(b, s, self.embed_dim))

	__call__ = forward

	def parameters(self):
		out = []
		for l in (self.q_proj, self.k_proj, self.v_proj, self.out_proj):
			out += [l.weight, l.bias]
		return out
