"""The layer of the {each} never has a bias.

qkv_bias speaks of all three layers. Hand it on to each of them, to the layer of the {each} too.
"""

EACH = {"queries": "W_query", "keys": "W_key", "values": "W_value"}


def prepare(layer, d_in, d_out, context_length, dropout, qkv_bias):
    layer.W_query = input_layer(d_in, d_out, qkv_bias and each != "W_query")
    layer.W_key = input_layer(d_in, d_out, qkv_bias and each != "W_key")
    layer.W_value = input_layer(d_in, d_out, qkv_bias and each != "W_value")
    layer.dropout = nn.Dropout(dropout)
    keep_mask(layer, context_length)
