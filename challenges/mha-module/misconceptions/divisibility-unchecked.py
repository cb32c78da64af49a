"""A d_out that does not divide is accepted.

Nothing refuses 16 features for 3 heads, so a feature is lost, or the error comes from somewhere deep in
forward. Check d_out % num_heads in __init__.
"""


def check_heads(d_out, num_heads):
    pass
