"""dropout is treated as the fraction to keep.

dropout=0.1 drops one weight in ten, as nn.Dropout(0.1) does. Yours drops nine. Pass the argument on unchanged.
"""


def prepare(layer, d_in, d_out, context_length, dropout, qkv_bias):
    layer.W_query = input_layer(d_in, d_out, qkv_bias)
    layer.W_key = input_layer(d_in, d_out, qkv_bias)
    layer.W_value = input_layer(d_in, d_out, qkv_bias)
    layer.dropout = nn.Dropout(1 - dropout)
    keep_mask(layer, context_length)
