"""As short as possible, with Japanese identifiers."""

import torch as 火
from torch.nn import Dropout, Linear, Module


class MultiHeadAttention(Module):
    def __init__(我, 入, 出, 長, 率, 頭, qkv_bias=False):
        super().__init__()
        assert 出 % 頭 == 0
        我.頭, 我.W_query, 我.W_key, 我.W_value = 頭, *(Linear(入, 出, qkv_bias) for _ in "qkv")
        我.out_proj, 我.dropout = Linear(出, 出), Dropout(率)

    def forward(我, 文):
        問, 鍵, 値 = ((層(文)).unflatten(2, (我.頭, -1)).swapaxes(1, 2) for 層 in (我.W_query, 我.W_key, 我.W_value))
        点 = (問 @ 鍵.mT / 問.shape[3] ** 0.5).masked_fill(火.ones(文.shape[1], 文.shape[1]).to(文.device).triu(1) > 0, -火.inf)
        return 我.out_proj((我.dropout(点.softmax(3)) @ 値).swapaxes(1, 2).flatten(2))
