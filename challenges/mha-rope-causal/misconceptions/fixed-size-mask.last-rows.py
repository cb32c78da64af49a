"""The mask is cut from the wrong end of a longer one.

The last seq rows of a triangle of size max_seq_len belong to later positions, so each token sees some that come after
it. Take the top left corner, mask[:seq, :seq], or build the mask for the tokens that are there.
"""


def attend(Q, K, V, length):
    seq = Q.shape[-2]
    return scaled_dot_product_attention(Q, K, V, up_to_itself(length)[-seq:, :seq])


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
