"""The output is not connected to the graph.

The whole function runs under no_grad, or its result is detached: the numbers are right, but nothing can be trained.
"""


def project_output(merged, o_proj_weight):
    return project(merged, o_proj_weight).detach()
