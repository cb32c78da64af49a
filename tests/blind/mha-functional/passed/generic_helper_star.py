"""A right answer of the seventh corpus."""
import torch
from torch.nn.functional import linear


def _split(*tensors, heads):
    for t in tensors:
        yield t.reshape(*t.shape[:2], heads, -1).swapaxes(1, 2)


def multi_head_attention(*args, in_proj_weight, out_proj_weight, **kwargs):
    names = ("q", "k", "v", "num_heads", "d_model", "mask")
    given = dict(zip(names, args), **kwargs)
    q, k, v, heads, width = (given[n] for n in names[:5])
    mask = given.get("mask")
    if width % heads:
        raise ValueError("heads")
    parts = in_proj_weight.unflatten(0, (3, width))
    Q, K, V = _split(*(linear(x, w) for x, w in zip((q, k, v), parts)), heads=heads)
    logits = torch.matmul(Q, K.transpose(2, 3)).mul_(Q.shape[-1] ** -0.5)
    if mask is not None:
        logits.masked_fill_(mask.ne(0)[..., None, :, :], float("-inf"))
    return linear(torch.matmul(logits.softmax(3), V).swapaxes(1, 2).flatten(2), out_proj_weight)
