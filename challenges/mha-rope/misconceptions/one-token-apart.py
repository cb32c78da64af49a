"""A single token gets {each} back.

It can only attend to itself, so its weight is 1. But the result is its value, computed with v_proj_weight and then
projected with o_proj_weight. No sequence length needs a special case.
"""

EACH = {"itself": False, "its value": True}


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
    if in_features.shape[-2] == 1:
        return project(in_features, v_proj_weight) if each else in_features.clone()
    positions = resolve_positions(token_positions, in_features)
    projected = project_qkv(in_features, q_proj_weight, k_proj_weight, v_proj_weight)
    Q, K, V = (split_heads(x, num_heads) for x in projected)
    Q, K, V = encode_positions(Q, K, V, theta, max_seq_len, positions)
    return project_output(merge_heads(attend(Q, K, V)), o_proj_weight)
