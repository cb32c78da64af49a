"""CausalAttention never has a bias.

The argument qkv_bias is taken and never used in this class, nor in the wrapper that is made of it. Hand it to the three
nn.Linear, as bias.
"""


def prepare(layer, d_in, d_out, context_length, dropout, qkv_bias):
    has_bias = qkv_bias and not isinstance(layer, CausalAttention)
    layer.W_query = input_layer(d_in, d_out, has_bias)
    layer.W_key = input_layer(d_in, d_out, has_bias)
    layer.W_value = input_layer(d_in, d_out, has_bias)
    layer.dropout = nn.Dropout(dropout)
    keep_mask(layer, context_length)
