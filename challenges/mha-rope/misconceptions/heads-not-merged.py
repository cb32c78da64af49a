"""The heads are still apart in the output.

Each head has its own share of the output projection, and the output is the sum of these shares: with the heads put
side by side first, one product with W_O adds them up.
"""


def merge_heads(x):
    return x


def project_output(merged, o_proj_weight):
    heads = merged.shape[-3]
    return merged @ o_proj_weight.unflatten(-1, (heads, -1)).movedim(-2, 0).mT
