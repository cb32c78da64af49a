"""Nothing checks that num_heads divides embed_dim.

Nobody asks whether 3 heads can share 16 features: an error comes later, from somewhere deep. Check
embed_dim % num_heads first, in __init__.
"""


def check_heads(embed_dim, num_heads):
    pass
