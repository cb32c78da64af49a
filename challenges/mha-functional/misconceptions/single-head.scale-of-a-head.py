"""num_heads is only used for the scale.

One head over all of d_model is a different function from several over d_head features each: it has one attention
pattern instead of many. Split the features into heads.
"""


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    check_heads(d_model, num_heads)
    Q, K, V = (x.unsqueeze(-3) for x in project_inputs(q, k, v, in_proj_weight))
    return project_output(merge_heads(attend(Q * math.sqrt(num_heads), K, V, mask)), out_proj_weight)
