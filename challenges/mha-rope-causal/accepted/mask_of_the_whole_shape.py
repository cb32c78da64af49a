"""A mask of the whole shape (batch..., heads, seq, seq), and a softmax with a backward pass of its own."""

import numpy as np
import torch


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, scores):
        weights = torch.exp(scores - torch.logsumexp(scores, dim=-1, keepdim=True))
        ctx.save_for_backward(weights)
        return weights

    @staticmethod
    def backward(ctx, upstream):
        (weights,) = ctx.saved_tensors
        return weights * (upstream - (upstream * weights).sum(dim=-1, keepdim=True))


def frequency_table(d_k, theta, max_seq_len):
    exponents = np.arange(0, d_k, 2, dtype=np.float64) / d_k
    return np.outer(np.arange(max_seq_len), np.power(float(theta), -exponents))


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    table = torch.from_numpy(frequency_table(d_k, theta, max_seq_len)).to(in_query_or_key.device)
    angles = table[token_positions].repeat_interleave(2, dim=-1)
    crossed = torch.stack((-in_query_or_key[..., 1::2], in_query_or_key[..., ::2]), dim=-1).flatten(start_dim=-2)
    cos, sin = angles.cos().to(in_query_or_key.dtype), angles.sin().to(in_query_or_key.dtype)
    return in_query_or_key * cos + crossed * sin


def scaled_dot_product_attention(Q, K, V, mask=None):
    batch, (queries, d_k), keys = Q.shape[:-2], Q.shape[-2:], K.shape[-2]
    q, k, v = (x.reshape(-1, *x.shape[-2:]) for x in (Q * d_k**-0.25, K * d_k**-0.25, V))
    scores = torch.bmm(q, k.transpose(1, 2)).view(*batch, queries, keys)
    if mask is not None:
        scores = scores.masked_fill(torch.logical_not(mask), torch.finfo(scores.dtype).min)
    weights = Softmax.apply(scores)
    return torch.bmm(weights.reshape(-1, queries, keys), v).view(*batch, queries, -1)


def multihead_self_attention_with_rope(
    d_model,
    num_heads,
    max_seq_len,
    theta,
    q_proj_weight,
    k_proj_weight,
    v_proj_weight,
    o_proj_weight,
    in_features,
    token_positions=None,
):
    assert d_model % num_heads == 0, f"{d_model=} is not a multiple of {num_heads=}"
    split = (*in_features.shape[:-1], num_heads, d_model // num_heads)
    projected = [(in_features @ w.T).view(split).movedim(-2, -3) for w in (q_proj_weight, k_proj_weight, v_proj_weight)]
    positions = torch.arange(in_features.size(-2)) if token_positions is None else token_positions
    # Attention knows only distances, so each sequence may start at 0: smaller angles are more exact.
    positions = (positions - positions.amin(dim=-1, keepdim=True)).to(in_features.device)
    if positions.dim() > 1:
        positions = positions.unsqueeze(-2)
    for i, x in enumerate(projected[:2]):
        projected[i] = rope(split[-1], theta, max_seq_len, x, positions)
    seq = in_features.size(-2)
    whole = torch.ones(*projected[0].shape[:-1], seq, dtype=torch.bool, device=in_features.device).tril()
    merged = scaled_dot_product_attention(*projected, mask=whole).movedim(-3, -2).reshape(in_features.shape)
    return merged @ o_proj_weight.T
