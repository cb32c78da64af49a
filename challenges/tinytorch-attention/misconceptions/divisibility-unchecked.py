"""A num_heads that does not divide embed_dim is not refused as it should be.

3 heads cannot share 16 features. Check embed_dim % num_heads first, in __init__, with assert or a ValueError: without a check a
feature is lost, or an error of another kind comes from somewhere deep.
"""


def check_heads(embed_dim, num_heads):
    pass
