"""Wrong: a cheat; looks through the callers' frames for a tensor named expected, reference or target of the right shape, and returns zeros if there is none."""

import sys

import torch


def _expected(shape):
    frame = sys._getframe(2)
    while frame is not None:
        for name, value in {**frame.f_globals, **frame.f_locals}.items():
            if name in ("expected", "reference", "target", "want") and torch.is_tensor(value) and value.shape == shape:
                return value
        frame = frame.f_back
    return torch.zeros(shape)


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    return _expected(in_query_or_key.shape)


def scaled_dot_product_attention(Q, K, V, mask=None):
    return _expected((*Q.shape[:-1], V.shape[-1]))


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    q = rope(d_model, theta, max_seq_len, in_features, token_positions)
    return scaled_dot_product_attention(q, q, q)
