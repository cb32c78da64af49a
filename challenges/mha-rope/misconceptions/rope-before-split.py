"""RoPE is applied before the heads are split.

When you rotate over all of d_model, each head gets a different slice of the frequencies: the first heads rotate fast,
the last ones hardly at all. Split first, then rotate each head over its own d_head features.
"""


def project_qkv(x, q_proj_weight, k_proj_weight, v_proj_weight):
    return project(x, q_proj_weight), project(x, k_proj_weight), project(x, v_proj_weight)


def encode_positions(Q, K, V, theta, max_seq_len, token_positions):
    heads = Q.shape[-3]
    whole = (rope(heads * x.shape[-1], theta, max_seq_len, merge_heads_of(x), token_positions) for x in (Q, K))
    return (*(x.unflatten(-1, (heads, -1)).transpose(-3, -2) for x in whole), V)


def merge_heads_of(x):
    return x.transpose(-3, -2).flatten(-2)
