"""in_proj_weight is split by heads before it is split into queries, keys and values.

Some models store the rows as head 0's queries, keys and values, then head 1's. Here all queries come first, then all
keys, then all values.
"""


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    check_heads(d_model, num_heads)
    by_heads = in_proj_weight.unflatten(0, (num_heads, 3, -1)).transpose(0, 1).flatten(0, 2)
    Q, K, V = (split_heads(x, num_heads) for x in project_inputs(q, k, v, by_heads))
    return project_output(merge_heads(attend(Q, K, V, mask)), out_proj_weight)
