"""A loop over heads that is put off by an object that the watcher keeps: it runs when that is let go.
Rule: no-loop-over-heads
"""

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    given = q, k, v, in_proj_weight, out_proj_weight
    result = Whole.apply(*given, num_heads, mask)
    put_off(result.detach(), given, num_heads, mask)
    return result


def put_off(result, given, num_heads, mask):
    return Later(result, [t.detach() for t in given], num_heads, mask)


class Later:
    def __init__(self, result, given, num_heads, mask):
        self.result, self.given, self.rest = result, given, (num_heads, mask)

    @property
    def data(self):
        if self.given is not None:
            given, self.given = self.given, None
            self.result.copy_(loop(*given, *self.rest))

    def __del__(self):
        self.data


class Whole(torch.autograd.Function):
    @staticmethod
    def forward(ctx, q, k, v, wi, wo, num_heads, mask):
        ctx.save_for_backward(q, k, v, wi, wo)
        ctx.rest = num_heads, mask
        return torch.empty_like(q)

    @staticmethod
    def backward(ctx, g):
        with torch.enable_grad():
            given = [t.detach().requires_grad_() for t in ctx.saved_tensors]
            out = loop(*given, *ctx.rest)
            return *torch.autograd.grad(out, given, g), None, None


def loop(q, k, v, wi, wo, num_heads, mask):
    heads = []
    if mask is not None:
        mask = mask.bool()
        if mask.dim() == 2:
            mask = mask[None, None]
        elif mask.dim() == 3:
            mask = mask[:, None]
        mask = mask.expand(mask.shape[0], num_heads, *mask.shape[2:])
    for h, (Q, K, V) in enumerate(zip(*((x @ w.T).chunk(num_heads, -1) for x, w in zip((q, k, v), wi.chunk(3))))):
        s = Q @ K.mT / Q.shape[-1] ** 0.5
        if mask is not None:
            s = s.masked_fill(mask[:, h], -torch.inf)
        heads.append(s.softmax(-1) @ V)
    return torch.cat(heads, -1) @ wo.T
