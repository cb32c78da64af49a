import torch

HIDE = -1e30


class Heads:
    def __init__(self, n):
        self.n = n

    def split(self, x):
        return x.unflatten(-1, (self.n, -1)).movedim(2, 1)

    def merge(self, x):
        return x.movedim(1, 2).flatten(2)


def softmax(x):
    x = x - x.amax(-1, keepdim=True).detach()
    e = x.exp()
    return e / e.sum(-1, keepdim=True)


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    """Everything in float64, whatever comes in."""
    assert num_heads > 0 and d_model % num_heads == 0, "num_heads must divide d_model"
    dtype = q.dtype
    q, k, v, wi, wo = (t.double() for t in (q, k, v, in_proj_weight, out_proj_weight))
    heads = Heads(num_heads)
    Q = heads.split(q @ wi[0 * d_model : 1 * d_model].mT)
    K = heads.split(k @ wi[1 * d_model : 2 * d_model].mT)
    V = heads.split(v @ wi[2 * d_model : 3 * d_model].mT)
    scores = torch.einsum("nhie,nhje->nhij", Q, K) / Q.shape[-1] ** 0.5
    if mask is not None:
        m = mask.double()
        while m.dim() < 3:
            m = m[None]
        scores = scores * (1 - m[:, None]) + HIDE * m[:, None]
    return (heads.merge(softmax(scores) @ V) @ wo.mT).to(dtype)
