"""The input is copied, and no gradient reaches it.

torch.tensor(x), .detach(), .data or a way through NumPy makes new numbers that do not know where they come from. Use
in_features itself.
"""


def project_qkv(x, q_proj_weight, k_proj_weight, v_proj_weight):
    x = x.detach()
    return project(x, q_proj_weight), project(x, k_proj_weight), project(x, v_proj_weight)
