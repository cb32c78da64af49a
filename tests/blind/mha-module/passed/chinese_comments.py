"""Right: 中文注释，三个类各写一遍，因果掩码用下标比较得到。"""
import torch
from torch import nn


class CausalAttention(nn.Module):
    """单头因果注意力"""

    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)  # 查询
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)  # 键
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)  # 值
        self.dropout = nn.Dropout(dropout)
        下标 = torch.arange(context_length)
        self.register_buffer("看不见", 下标 > 下标.unsqueeze(1))

    def forward(self, x):
        长度 = x.shape[1]
        查询, 键, 值 = self.W_query(x), self.W_key(x), self.W_value(x)
        分数 = 查询 @ 键.transpose(1, 2) / 键.shape[-1] ** 0.5
        分数 = 分数.masked_fill(self.看不见[:长度, :长度], float("-inf"))
        权重 = self.dropout(torch.softmax(分数, dim=-1))
        return 权重 @ 值


class MultiHeadAttentionWrapper(nn.Module):
    """把若干个单头并排放在一起"""

    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList(
            [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)]
        )

    def forward(self, x):
        return torch.cat([头(x) for 头 in self.heads], dim=-1)


class MultiHeadAttention(nn.Module):
    """所有的头一次算完"""

    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("num_heads 必须整除 d_out")
        self.头数, self.头宽 = num_heads, d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        下标 = torch.arange(context_length)
        self.register_buffer("看不见", 下标 > 下标.unsqueeze(1))

    def 分头(self, t):
        批, 长度, _ = t.shape
        return t.reshape(批, 长度, self.头数, self.头宽).transpose(1, 2)

    def forward(self, x):
        批, 长度, _ = x.shape
        查询, 键, 值 = self.分头(self.W_query(x)), self.分头(self.W_key(x)), self.分头(self.W_value(x))
        分数 = 查询 @ 键.transpose(2, 3) / self.头宽**0.5
        分数 = 分数.masked_fill(self.看不见[:长度, :长度], float("-inf"))
        权重 = self.dropout(torch.softmax(分数, dim=-1))
        合并 = (权重 @ 值).transpose(1, 2).reshape(批, 长度, -1)
        return self.out_proj(合并)
