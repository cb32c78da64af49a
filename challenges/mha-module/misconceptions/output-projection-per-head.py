"""The output projection sees one head at a time.

A small layer, head_dim wide, is applied to each head before they are merged, so the heads are never mixed. Merge first,
then apply out_proj, from d_out to d_out.
"""


def output_layer(d_out, num_heads):
    return nn.Linear(d_out // num_heads, d_out // num_heads)


def mix_heads(layer, context):
    return merge_heads(layer.out_proj(context))
