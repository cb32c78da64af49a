"""Python 2 habits: a class of static methods, % formatting, and index loops that build the projections."""

import math
import torch


class MHA(object):
    @staticmethod
    def weights(w, d):
        return [w[i * d : (i + 1) * d] for i in range(3)]

    @staticmethod
    def split(x, h):
        n, l, d = x.size()
        return x.contiguous().view(n, l, h, int(d / h)).permute(0, 2, 1, 3)

    @staticmethod
    def softmax(x):
        return torch.exp(torch.log_softmax(x, -1))


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("%d is not divisible by %d" % (d_model, num_heads))
    inputs = [q, k, v]
    w = MHA.weights(in_proj_weight, d_model)
    p = []
    for i in range(3):
        p.append(MHA.split(torch.matmul(inputs[i], w[i].t()), num_heads))
    s = torch.matmul(p[0], p[1].permute(0, 1, 3, 2)) / math.sqrt(float(d_model) / num_heads)
    if mask is not None:
        m = (mask > 0.5).expand([q.size(0), q.size(1), k.size(1)])
        s = s.masked_fill(m.unsqueeze(1), -float("inf"))
    o = torch.matmul(MHA.softmax(s), p[2]).permute(0, 2, 1, 3).contiguous()
    return torch.matmul(o.view(q.size(0), q.size(1), d_model), out_proj_weight.t())
