"""The attention weights are returned as well.

The function returns one tensor, (N, L_q, d_model). A caller would first have to unpack a pair of output and weights.
"""


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    check_heads(d_model, num_heads)
    Q, K, V = (split_heads(x, num_heads) for x in project_inputs(q, k, v, in_proj_weight))
    return project_output(merge_heads(attend(Q, K, V, mask)), out_proj_weight), weigh(Q, K, mask)
