"""The output weight is cut off from the graph.

A copy in nn.Parameter or nn.Linear, .data or .detach() makes new numbers that do not know where they come from. Use
o_proj_weight itself.
"""


def project_output(merged, o_proj_weight):
    return project(merged, o_proj_weight.detach())
