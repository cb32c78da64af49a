# Right: one global triangle that grows, and global constants; tabs
import torch
from math import *

TRIANGLE = torch.ones(1, 1, dtype=torch.bool)
MINUS_INFINITY = -inf
PAIR = 2


def triangle(n, device):
	global TRIANGLE
	if len(TRIANGLE) < n:
		TRIANGLE = torch.ones(2 * n, 2 * n, dtype=torch.bool).tril()
	return TRIANGLE[:n, :n].to(device)


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
	pairs = in_query_or_key.unflatten(-1, (d_k // PAIR, PAIR))
	rates = in_query_or_key.new_tensor([exp(-PAIR * i / d_k * log(theta)) for i in range(d_k // PAIR)])
	angles = token_positions.unsqueeze(-1) * rates
	c, s = torch.cos(angles), torch.sin(angles)
	a, b = pairs.select(-1, 0), pairs.select(-1, 1)
	return torch.stack((a * c - b * s, a * s + b * c), -1).flatten(-2, -1)


def scaled_dot_product_attention(Q, K, V, mask=None):
	scores = (Q @ K.transpose(-2, -1)) / sqrt(Q.shape[-1])
	if mask is not None:
		scores = torch.where(mask, scores, MINUS_INFINITY)
	return scores.softmax(dim=-1) @ V


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
	if d_model % num_heads:
		raise ValueError("d_model must be divisible by num_heads, got %d and %d" % (d_model, num_heads))
	n = in_features.shape[-2]
	if token_positions is None:
		token_positions = torch.arange(n).to(in_features.device)
	where = token_positions.unsqueeze(-2)
	heads = [(in_features @ w.t()).unflatten(-1, (num_heads, -1)).transpose(-2, -3) for w in (q_proj_weight, k_proj_weight, v_proj_weight)]
	for i in (0, 1):
		heads[i] = rope(d_model // num_heads, theta, max_seq_len, heads[i], where)
	mixed = scaled_dot_product_attention(*heads, mask=triangle(n, in_features.device))
	return mixed.transpose(-2, -3).flatten(-2) @ o_proj_weight.t()
