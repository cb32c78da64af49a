"""A key of zeros is treated as padding.

The mask alone says what is hidden. A token that happens to be all zeros is a token like any other: its scores are zero,
and it gets its share of the attention.
"""

EACH = {"minus infinity": "-inf", "a large number": "-1e9"}


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    check_heads(d_model, num_heads)
    Q, K, V = (split_heads(x, num_heads) for x in project_inputs(q, k, v, in_proj_weight))
    padding = (k == 0).all(dim=-1)
    padding = padding & ~padding.all(dim=-1, keepdim=True)
    scores = hide(scale(Q @ K.mT, Q.shape[-1]), mask).masked_fill(padding[:, None, None], float(each))
    return project_output(merge_heads(softmax(scores) @ V), out_proj_weight)
