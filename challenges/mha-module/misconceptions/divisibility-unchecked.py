"""A num_heads that does not divide d_out is not rejected as it should be.

3 heads cannot share 16 features. Check d_out % num_heads first, in __init__, with assert or a ValueError: without the
check, features are lost, or some other error is raised further on.
"""


def check_heads(d_out, num_heads):
    pass
