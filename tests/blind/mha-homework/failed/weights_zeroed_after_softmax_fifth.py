"""Wrong: the later tokens get zero after the softmax, so the other weights no longer add up to one."""
import functools
import time
from collections import OrderedDict
from contextlib import contextmanager

import torch
from torch import nn

TIMES: "OrderedDict[str, float]" = OrderedDict()


@contextmanager
def step(name):
    begin = time.perf_counter()
    try:
        yield
    finally:
        TIMES[name] = TIMES.get(name, 0.0) + time.perf_counter() - begin


def timed(method):
    @functools.wraps(method)
    def wrapper(self, *args):
        with step(method.__name__):
            return method(self, *args)

    return wrapper


@functools.lru_cache(maxsize=None)
def root(n):
    return n**0.5


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise AssertionError("d_out % num_heads != 0")
        self.d_out, self.num_heads, self.head_dim = d_out, num_heads, d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", ~torch.tril(torch.ones(context_length, context_length, dtype=torch.bool)))

    @timed
    def project(self, x):
        return self.W_query(x), self.W_key(x), self.W_value(x)

    @timed
    def split(self, t):
        return t.reshape(t.shape[0], t.shape[1], self.num_heads, self.head_dim)

    @timed
    def swap(self, t):
        return t.transpose(1, 2)

    @timed
    def score(self, q, k):
        return torch.einsum("bhid,bhjd->bhij", q, k) / root(self.head_dim)

    @timed
    def weigh(self, scores):
        t = scores.shape[-1]
        return self.dropout(torch.softmax(scores, dim=-1).masked_fill(self.mask[:t, :t], 0.0))

    @timed
    def merge(self, t):
        return self.swap(t).flatten(2)

    def forward(self, x):
        q, k, v = (self.swap(self.split(t)) for t in self.project(x))
        weights = self.weigh(self.score(q, k))
        return self.out_proj(self.merge(weights @ v))
