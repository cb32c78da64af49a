"""A num_heads that does not divide d_model is not refused as it should be.

3 heads cannot share 16 features. Check d_model % num_heads first, with assert or a ValueError: without a check a
feature is lost, or an error of another kind comes from somewhere deep.
"""


def check_heads(d_model, num_heads):
    pass
