"""A mask hides the tokens at larger positions.

This exercise has no mask in the multi-head function: every token attends to every token, whatever their positions.
Positions rotate queries and keys, and hide nothing.
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
    Q, K, V = encode_positions(Q, K, V, theta, max_seq_len, positions)
    places = make_room_for_heads(positions)
    not_beyond = places[..., :, None] >= places[..., None, :]
    return project_output(merge_heads(scaled_dot_product_attention(Q, K, V, not_beyond)), o_proj_weight)
