"""Of several tokens at the same position, only the first is seen.

Positions may repeat, so they do not identify tokens: two tokens at the same position are still two tokens. Positions
rotate queries and keys, and hide nothing.
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
    room = make_room_for_heads(positions)
    is_repeated = (room[..., :, None] == room[..., None, :]).tril(-1).any(dim=-1)
    return project_output(merge_heads(scaled_dot_product_attention(Q, K, V, ~is_repeated[..., None, :])), o_proj_weight)
