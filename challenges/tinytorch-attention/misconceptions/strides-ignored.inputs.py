"""x is read in memory order.

order="A" reads an array column by column when its first axis runs fastest in memory, which scrambles the tokens.
Reshape without it and rely on the axes.
"""

import numpy as np


def project_qkv(module, x):
    rows = Tensor(x.data.reshape(-1, x.shape[-1], order="A"), requires_grad=x.requires_grad)
    rows.sources = ((x, lambda gradient: gradient.reshape(x.shape)),)
    return tuple(layer(rows).reshape(*x.shape) for layer in (module.q_proj, module.k_proj, module.v_proj))
