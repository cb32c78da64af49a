"""The output weight is cut off from the graph.

A copy of out_proj_weight in nn.Parameter or nn.Linear, .data or .detach() makes a new tensor with no link to the
original. Use out_proj_weight itself.
"""


def project_output(merged, out_proj_weight):
    return project(merged, out_proj_weight.detach())
