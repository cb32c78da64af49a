"""Reaches layer norm through torch.ops: the vector and its negative side by side have mean zero and the same mean square."""
import torch


def rmsnorm(x, weight, eps=1e-5):
    both = torch.cat((x, -x), -1)
    out = torch.ops.aten.native_layer_norm(both, [both.shape[-1]], None, None, float(eps))[0]
    return out[..., : x.shape[-1]] * weight
