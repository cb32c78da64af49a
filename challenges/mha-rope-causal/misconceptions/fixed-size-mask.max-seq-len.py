"""The mask is as long as max_seq_len, but the sequence is not.

max_seq_len is only an upper limit. Build the mask for the tokens that are there, or take the corner that belongs to
them: mask[:seq, :seq].
"""


def attend(Q, K, V, length):
    return scaled_dot_product_attention(Q, K, V, up_to_itself(length))


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
    return project_output(merge_heads(attend(Q, K, V, max_seq_len)), o_proj_weight)
