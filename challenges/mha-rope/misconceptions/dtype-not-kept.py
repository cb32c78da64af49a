"""The output comes in another dtype than the input.

Tables in float64 make everything float64 that they are multiplied with. Bring cosines and sines to the dtype of what
they turn, and the output is like the input.
"""


def project_output(merged, o_proj_weight):
    return project(merged, o_proj_weight).double()
