"""The input is added to the output.

The Transformer block around this function computes q + attention. The function itself returns only the attention.
"""


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    check_heads(d_model, num_heads)
    Q, K, V = (split_heads(x, num_heads) for x in project_inputs(q, k, v, in_proj_weight))
    return q + project_output(merge_heads(attend(Q, K, V, mask)), out_proj_weight)
