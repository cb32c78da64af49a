"""A key of zeros is treated as padding.

The mask alone says what is hidden. A token that happens to be all zeros is a token like any other: its scores are zero,
and it gets its share of the attention.
"""


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    check_heads(d_model, num_heads)
    Q, K, V = (split_heads(x, num_heads) for x in project_inputs(q, k, v, in_proj_weight))
    scores = hide_zeros(scale(Q @ K.mT, Q.shape[-1]), k, mask)
    return project_output(merge_heads(softmax(scores) @ V), out_proj_weight)


def hide_zeros(scores, k, mask):
    hidden = (k == 0).all(dim=-1)[:, None, None].expand_as(scores)
    if mask is not None:
        hidden = hidden | make_room_for_heads(read_mask(mask))
    return scores.masked_fill(hidden, -1e9)
