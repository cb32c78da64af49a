"""The output projection has no bias.

qkv_bias is only about queries, keys and values. out_proj is an ordinary nn.Linear from d_out to d_out, with its bias.
"""


def output_layer(d_out, num_heads):
    return nn.Linear(d_out, d_out, bias=False)
