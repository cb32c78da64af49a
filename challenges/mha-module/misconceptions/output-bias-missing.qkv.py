"""The output projection only has a bias if qkv_bias is True.

qkv_bias is about queries, keys and values, as its name says. out_proj is an ordinary nn.Linear from d_out to d_out,
with a bias whatever qkv_bias is.
"""


def output_layer(d_out, qkv_bias):
    return nn.Linear(d_out, d_out, bias=qkv_bias)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        check_heads(d_out, num_heads)
        self.num_heads, self.head_dim = num_heads, head_width(d_in, d_out, num_heads)
        prepare(self, d_in, d_out, context_length, dropout, qkv_bias)
        self.out_proj = output_layer(d_out, qkv_bias)

    def forward(self, x):
        return mix_heads(self, attend_in_heads(self, *project_qkv(self, x)))
