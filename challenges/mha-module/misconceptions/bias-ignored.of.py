"""The {each} have no bias.

qkv_bias=True means a bias in all three layers: pass it to each nn.Linear.
"""

EACH = {"queries": 0, "keys": 1, "values": 2}


def prepare(layer, d_in, d_out, context_length, dropout, qkv_bias):
    biases = [qkv_bias and place != each for place in range(3)]
    layer.W_query, layer.W_key, layer.W_value = (input_layer(d_in, d_out, has_bias) for has_bias in biases)
    layer.dropout = nn.Dropout(dropout)
    keep_mask(layer, context_length)
