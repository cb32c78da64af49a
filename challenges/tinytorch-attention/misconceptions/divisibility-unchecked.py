"""An embed_dim that does not divide is accepted.

Nothing refuses 16 features for 3 heads, so the error comes later, from somewhere deep. Check embed_dim % num_heads first, in
__init__.
"""


def check_heads(embed_dim, num_heads):
    pass
