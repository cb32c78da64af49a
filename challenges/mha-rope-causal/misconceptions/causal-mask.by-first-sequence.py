"""Each sequence is compared with the positions of the first one.

Your mask compares positions: those of each sequence's queries with those of the first sequence's keys. The mask depends
only on the order in the sequence: it is the lower triangle, the same for all sequences.
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
    mask = make_room_for_heads(positions)[..., :, None] >= positions.reshape(-1, Q.shape[-2])[0]
    mask = mask | torch.eye(Q.shape[-2], dtype=torch.bool)
    return project_output(merge_heads(scaled_dot_product_attention(Q, K, V, mask)), o_proj_weight)
