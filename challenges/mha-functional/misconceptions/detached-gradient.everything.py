"""The output has no graph, so nothing gets a gradient.

Somewhere all of it passes through .detach(), .data, .numpy() or no_grad, which make numbers that do not know where they come
from. Stay with torch's own operations from the arguments to the output.
"""


def project_output(merged, out_proj_weight):
    return project(merged, out_proj_weight).detach()
