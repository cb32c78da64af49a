"""The {each} are split into heads by a bare reshape; the others are not.

Reshaping (L, d_model) straight to (heads, L, d_head) cuts the sequence into pieces. Reshape to (L, heads, d_head)
first, then transpose the two: for queries, keys and values alike.
"""

EACH = {"queries": 0, "keys": 1, "values": 2}


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    check_heads(d_model, num_heads)
    projected = project_inputs(q, k, v, in_proj_weight)
    Q, K, V = (
        x.reshape(x.shape[0], num_heads, x.shape[1], -1) if place == each else split_heads(x, num_heads)
        for place, x in enumerate(projected)
    )
    return project_output(merge_heads(attend(Q, K, V, mask)), out_proj_weight)
