"""The multi-head function returns more than the output.

It returns one tensor, (..., seq, d_model). Attention weights, caches and the like stay inside.
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
    Q, K, V = encode_positions(*(split_heads(x, num_heads) for x in projected), theta, max_seq_len, positions)
    weights = softmax(hide(scale(compare(Q, K), Q.shape[-1]), up_to_itself(Q.shape[-2])))
    return project_output(merge_heads(attend(Q, K, V)), o_proj_weight), weights
