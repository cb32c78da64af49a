"""Nothing checks that num_heads divides d_out.

Nobody asks whether 3 heads can share 16 features: a feature is lost, or an error comes from somewhere deep in
forward. Check d_out % num_heads in __init__.
"""


def check_heads(d_out, num_heads):
    pass
