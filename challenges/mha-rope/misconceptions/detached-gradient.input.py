"""The input is copied, and no gradient reaches it.

torch.tensor(x), .detach(), .data or a detour through NumPy makes a new tensor with no link to the original. Use
in_features itself.
"""


def project_qkv(x, q_proj_weight, k_proj_weight, v_proj_weight):
    x = x.detach()
    return project(x, q_proj_weight), project(x, k_proj_weight), project(x, v_proj_weight)
