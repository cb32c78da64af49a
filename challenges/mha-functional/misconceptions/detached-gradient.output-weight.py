"""The output weight is cut off from the graph.

Copying out_proj_weight into an nn.Parameter or nn.Linear makes a new tensor with no link to the original, and so does
.data or .detach(). Use out_proj_weight itself.
"""


def project_output(merged, out_proj_weight):
    return project(merged, out_proj_weight.detach())
