"""squeeze drops axes of size one.

A batch of one, a single token and a single feature are axes like any others. Leave them: the result has three axes whatever
their sizes.
"""


def mix_heads(layer, context):
    return layer.out_proj(merge_heads(context)).squeeze()


def attend(layer, queries, keys, values):
    context = drop(weigh(compare_tokens(queries, keys), layer), layer) @ values
    return context if hasattr(layer, "num_heads") else context.squeeze()
