"""Wrong: if q and k are the same tensor it takes the values from it too and forgets v."""
from abc import ABC, abstractmethod
from contextlib import contextmanager

import torch
import torch.nn.functional as F

_REGISTRY: dict = {}


class Normalizer(ABC):
    def __init_subclass__(cls, /, name, **kwargs):
        super().__init_subclass__(**kwargs)
        _REGISTRY[name] = cls()

    @abstractmethod
    def __call__(self, scores): ...


class InDouble:
    def widen(self, scores):
        return scores.double()


class Stable(InDouble, Normalizer, name="stable"):
    def __call__(self, scores):
        wide = self.widen(scores)
        wide = wide - wide.amax(dim=-1, keepdim=True)
        e = wide.exp()
        return (e / e.sum(dim=-1, keepdim=True)).to(scores.dtype)


class Library(Normalizer, name="library"):
    def __call__(self, scores):
        return F.softmax(scores, dim=-1)


@contextmanager
def normalizer(name="stable"):
    yield _REGISTRY[name]


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0, "d_model % num_heads must be 0"
    if q is k:
        v = k
    shape = (q.shape[0], -1, num_heads, d_model // num_heads)
    qh = F.linear(q, in_proj_weight.narrow(0, 0, d_model)).reshape(shape).transpose(1, 2)
    kh = F.linear(k, in_proj_weight.narrow(0, d_model, d_model)).reshape(shape).transpose(1, 2)
    vh = F.linear(v, in_proj_weight.narrow(0, 2 * d_model, d_model)).reshape(shape).transpose(1, 2)
    scores = qh.matmul(kh.transpose(-2, -1)).mul(shape[-1] ** -0.5)
    if mask is not None:
        scores = scores.masked_fill((mask == 1).unsqueeze(-3), float("-inf"))
    with normalizer() as softmax:
        weights = softmax(scores)
    out = weights.matmul(vh).transpose(1, 2).reshape(q.shape)
    return F.linear(out, out_proj_weight)
