"""The output weight is cut off from the graph.

A copy in nn.Parameter or nn.Linear, .data or .detach() makes a new tensor with no link to the original. Use
o_proj_weight itself.
"""


def project_output(merged, o_proj_weight):
    return project(merged, o_proj_weight.detach())
