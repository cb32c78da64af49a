"""The output has no graph, so nothing gets a gradient.

Somewhere everything passes through .detach(), .data, .numpy() or no_grad, which make a new tensor with no link to the
original. Use only torch's own operations from the arguments to the output.
"""


def project_output(merged, out_proj_weight):
    return project(merged, out_proj_weight).detach()
