"""An input that is not contiguous is refused.

view asks how numbers lie in memory, and refuses leading axes that cannot be joined there. reshape and flatten copy where they
must; a product takes any number of axes as they are.
"""


def project_qkv(x, q_proj_weight, k_proj_weight, v_proj_weight):
    sequences = x.view(-1, *x.shape[-2:])
    return tuple(project(sequences, w).view(x.shape) for w in (q_proj_weight, k_proj_weight, v_proj_weight))
