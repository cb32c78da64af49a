"""A num_heads that does not divide d_model is not rejected as it should be.

3 heads cannot share 16 features. Check d_model % num_heads first, with assert or a ValueError: without the check,
features are lost, or some other error is raised further on.
"""


def check_heads(d_model, num_heads):
    pass
