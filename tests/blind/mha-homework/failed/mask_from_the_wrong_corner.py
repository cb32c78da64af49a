# Wrong: a shorter sequence takes the lower left corner of the mask, in which nothing is hidden.
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
	"""
	>>> m = MultiHeadAttention(3, 4, 5, 0.0, 2)
	>>> m(torch.zeros(1, 2, 3)).shape
	torch.Size([1, 2, 4])
	"""

	def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
		super().__init__()
		if d_out % num_heads:
			raise ValueError("d_out=%d, num_heads=%d" % (d_out, num_heads))
		self.h, self.max = num_heads, context_length
		self.q_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
		self.k_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
		self.v_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
		self.out_proj = nn.Linear(d_out, d_out)
		self.attn_drop = nn.Dropout(dropout)
		self.register_buffer("tri", torch.ones(context_length, context_length, dtype=torch.bool).tril(), persistent=False)

	def visible(self, n):
		if self.tri.shape[0] < n:
			self.tri = torch.ones(n, n, dtype=torch.bool, device=self.tri.device).tril()
		return self.tri[-n:, :n]

	def heads(self, t):
		return t.unflatten(-1, (self.h, -1)).swapaxes(1, 2)

	def forward(self, x):
		n = x.size(1)
		assert n <= self.max, f"{n} tokens, but the context holds {self.max}"
		q, k, v = map(self.heads, (self.q_proj(x), self.k_proj(x), self.v_proj(x)))
		s = q @ k.mT * q.size(-1) ** -0.5
		s = torch.where(self.visible(n), s, float("-inf"))
		y = self.attn_drop(s.softmax(-1)) @ v
		return self.out_proj(y.swapaxes(1, 2).flatten(2))
