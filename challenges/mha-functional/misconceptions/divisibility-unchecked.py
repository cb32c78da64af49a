"""Nothing checks that num_heads divides d_model.

Nobody asks whether 3 heads can share 16 features: the remainder is lost, or an error comes from somewhere deep. Check
d_model % num_heads first.
"""


def check_heads(d_model, num_heads):
    pass
