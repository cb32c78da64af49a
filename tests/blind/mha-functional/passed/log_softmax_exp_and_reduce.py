"""exp of log_softmax, and functools for the chain of steps."""

import functools
import math
import operator

import torch
import torch.nn.functional as F

pipe = lambda x, *steps: functools.reduce(lambda y, f: f(y), steps, x)


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if operator.mod(d_model, num_heads):
        raise ValueError("d_model is not divisible by num_heads")
    split = functools.partial(torch.Tensor.unflatten, dim=2, sizes=(num_heads, d_model // num_heads))
    flip = operator.methodcaller("transpose", 1, 2)
    rows = [slice(i * d_model, (i + 1) * d_model) for i in range(3)]
    Q = pipe(q @ in_proj_weight[rows[0]].T, split, flip)
    K = pipe(k @ in_proj_weight[rows[1]].T, split, flip)
    V = pipe(v @ in_proj_weight[rows[2]].T, split, flip)

    def hide(s):
        if mask is None:
            return s
        return s.masked_fill(mask.bool().expand(s.size(0), s.size(2), s.size(3)).unsqueeze(1), -math.inf)

    P = pipe(Q @ K.mT / math.sqrt(Q.size(-1)), hide, functools.partial(F.log_softmax, dim=-1), torch.exp)
    return pipe(P @ V, flip, operator.methodcaller("flatten", 2), lambda x: x @ out_proj_weight.T)
