"""The heads are not moved back before merging.

After attention the axes are (heads, L_q, d_head). Flattening them in this order puts features of different tokens
together. Transpose to (L_q, heads, d_head) first, then flatten the last two.
"""


def merge_heads(x):
    return x.reshape(x.shape[0], x.shape[2], -1)
