"""Sets requires_grad on the caller's x so that gradients are sure to flow."""
# expect: sets requires_grad on input
import numpy as np
from tinytorch.core.tensor import Tensor
from tinytorch.core.layers import Linear
from tinytorch.core.activations import Softmax

softmax = Softmax()
调试 = False


def scaled_dot_product_attention(Q, K, V, mask=None):
    # 第一步: 取出维度 d
    d = Q.shape[-1]
    # 第二步: K 转置 (只换最后两个轴)
    Kt = K.transpose(-2, -1)
    # 第三步: 打分
    scores = Q.matmul(Kt)
    scores = scores / float(np.sqrt(d))
    # 第四步: 遮住看不到的
    if mask is not None:
        # scores = scores * mask      # 不对! 0 不是很小的分数
        负 = (1 - mask.data) * (-1e9)
        scores = scores + Tensor(负)
    if 调试:
        print("scores:", scores.shape)
    # 第五步: softmax
    weights = softmax(scores, dim=-1)
    output = weights.matmul(V)
    return output, weights


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        assert embed_dim % num_heads == 0, "除不尽!"
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def forward(self, x, mask=None):
        batch = x.shape[0]
        seq = x.shape[1]
        h = self.num_heads
        hd = self.head_dim

        x.requires_grad = True  # 否则没有梯度
        Q = self.q_proj(x)
        K = self.k_proj(x)
        V = self.v_proj(x)

        # Q = Q.reshape(batch, h, seq, hd)   # 形状对, 数字错
        Q = Q.reshape(batch, seq, h, hd).transpose(1, 2)
        K = K.reshape(batch, seq, h, hd).transpose(1, 2)
        V = V.reshape(batch, seq, h, hd).transpose(1, 2)

        if mask is not None:
            shape = mask.data.shape
            if len(shape) == 2:
                mask = mask.reshape(1, 1, shape[0], shape[1])
            else:
                mask = mask.reshape(shape[0], 1, shape[1], shape[2])

        out, w = scaled_dot_product_attention(Q, K, V, mask)
        if 调试:
            print("w:", w.shape)

        out = out.transpose(1, 2)
        out = out.reshape(batch, seq, self.embed_dim)
        out = self.out_proj(out)
        return out

    def parameters(self):
        ps = []
        ps += self.q_proj.parameters()
        ps += self.k_proj.parameters()
        ps += self.v_proj.parameters()
        ps += self.out_proj.parameters()
        return ps
