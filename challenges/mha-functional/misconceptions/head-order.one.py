"""The {each} are interleaved across the heads; the others are not.

Head h owns the features h*d_head to (h+1)*d_head, of queries, keys and values alike. Yours are split in two different
ways: use one function for all three.
"""

EACH = {"queries": 0, "keys": 1, "values": 2}


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    check_heads(d_model, num_heads)
    projected = project_inputs(q, k, v, in_proj_weight)
    Q, K, V = (
        x.unflatten(-1, (-1, num_heads)).movedim(-1, -3) if place == each else split_heads(x, num_heads)
        for place, x in enumerate(projected)
    )
    return project_output(merge_heads(attend(Q, K, V, mask)), out_proj_weight)
