"""The heads are still separate in the output.

Each head has its own part of the output projection, and the output is the sum of those parts: place the heads side by
side first, and one product with W_O adds them up.
"""


def merge_heads(x):
    return x


def project_output(merged, o_proj_weight):
    heads = merged.shape[-3]
    return merged @ o_proj_weight.unflatten(-1, (heads, -1)).movedim(-2, 0).mT
