# Right: a plain function attends, modules only hold layers; French comments, tabs
import torch
import torch.nn as nn
from torch.nn.functional import dropout as abandon


def attention(q, k, v, p, entrainement):
	"""Attention causale sur les deux derniers axes."""
	n = q.shape[-2]
	rang = torch.arange(n, device=q.device)
	scores = torch.einsum("...ic,...jc->...ij", q, k) / q.shape[-1] ** 0.5
	scores = scores.masked_fill(rang[:, None] < rang[None, :], float("-inf"))
	poids = abandon(scores.softmax(-1), p, entrainement)
	return torch.einsum("...ij,...jc->...ic", poids, v)


class CausalAttention(nn.Module):
	def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
		super().__init__()
		self.p = dropout
		self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
		self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
		self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)

	def forward(self, x):
		return attention(self.W_query(x), self.W_key(x), self.W_value(x), self.p, self.training)


class MultiHeadAttentionWrapper(nn.Module):
	def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
		super().__init__()
		self.heads = nn.ModuleList()
		for _ in range(num_heads):
			self.heads.append(CausalAttention(d_in, d_out, context_length, dropout, qkv_bias=qkv_bias))

	def forward(self, x):
		morceaux = []
		for tete in self.heads:
			morceaux.append(tete(x))
		return torch.cat(morceaux, -1)


class MultiHeadAttention(nn.Module):
	def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
		super().__init__()
		if d_out % num_heads:
			raise ValueError("num_heads doit diviser d_out")
		self.p, self.n = dropout, num_heads
		self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
		self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
		self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
		self.out_proj = nn.Linear(d_out, d_out)

	def forward(self, x):
		b, t = x.shape[:2]
		# (lot, mots, têtes, largeur) puis on échange deux axes
		q, k, v = (c(x).reshape(b, t, self.n, -1).swapaxes(1, 2) for c in (self.W_query, self.W_key, self.W_value))
		z = attention(q, k, v, self.p, self.training)
		return self.out_proj(z.swapaxes(1, 2).reshape(b, t, -1))
