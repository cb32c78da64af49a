"""Wrong: 値も k_proj で射影している (the values are projected with k_proj)."""
import math

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None):
    幅 = Q.shape[-1]
    得点 = Q.matmul(K.transpose()) * (1.0 / math.sqrt(幅))
    if mask is not None:
        # マスクが 0 のところは見えない
        見えない = np.array(mask.data < 0.5)
        減点 = np.where(見えない, -1e9, 0.0)
        得点 = 得点 + Tensor(減点.astype(得点.data.dtype))
    重み = Softmax().forward(得点, dim=-1)
    出力 = 重み.matmul(V)
    return 出力, 重み


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads != 0:
            raise ValueError("embed_dim は num_heads で割り切れなければなりません")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def forward(self, x, mask=None):
        組, 長さ, 全幅 = x.shape
        問い = self.q_proj.forward(x)
        鍵 = self.k_proj.forward(x)
        値 = self.k_proj.forward(x)
        # 頭に分ける
        問い = 問い.reshape(組, 長さ, self.num_heads, self.head_dim).transpose(1, 2)
        鍵 = 鍵.reshape(組, 長さ, self.num_heads, self.head_dim).transpose(1, 2)
        値 = 値.reshape(組, 長さ, self.num_heads, self.head_dim).transpose(1, 2)
        if mask is not None:
            形 = mask.data.shape
            mask = Tensor(mask.data.reshape(形[0], 1, 形[1], 形[2])) if len(形) == 3 else mask
        答え, _ = scaled_dot_product_attention(問い, 鍵, 値, mask)
        答え = 答え.transpose(1, 2).reshape(組, 長さ, 全幅)
        return self.out_proj.forward(答え)

    def parameters(self):
        全部 = []
        for 層 in [self.q_proj, self.k_proj, self.v_proj, self.out_proj]:
            全部.extend(層.parameters())
        return 全部
