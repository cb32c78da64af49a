"""The output has a different dtype from the input.

Tables in float64 turn everything they are multiplied by into float64. Convert the cosines and sines to the dtype of the
tensor they rotate, and the output will match the input.
"""


def project_output(merged, o_proj_weight):
    return project(merged, o_proj_weight).double()
