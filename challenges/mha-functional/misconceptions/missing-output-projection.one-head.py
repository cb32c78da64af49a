"""The output projection is missing when there is one head.

W_O does more than mix heads: it is part of the function for any number of heads. The result is merged @
out_proj_weight.T.
"""


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    check_heads(d_model, num_heads)
    Q, K, V = (split_heads(x, num_heads) for x in project_inputs(q, k, v, in_proj_weight))
    merged = merge_heads(attend(Q, K, V, mask))
    return merged if num_heads == 1 else project_output(merged, out_proj_weight)
