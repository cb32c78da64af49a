"""Queries, keys and values share one layer.

One Linear under three names has only one weight: queries, keys and values come out the same. Create a layer for each.
"""


def prepare(layer, d_in, d_out, context_length, dropout, qkv_bias):
    layer.W_query = layer.W_key = layer.W_value = input_layer(d_in, d_out, qkv_bias)
    layer.dropout = nn.Dropout(dropout)
    keep_mask(layer, context_length)
