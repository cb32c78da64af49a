"""The output projection is applied twice.

The merged heads go through out_proj once. Look for a second call, perhaps in the return statement.
"""


def mix_heads(layer, context):
    return layer.out_proj(layer.out_proj(merge_heads(context)))
