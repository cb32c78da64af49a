"""eps is 1e-6 when it is left out.

The default is 1e-5. Only vectors of small numbers tell the two apart.
"""


def transformer_lm(token_ids, weights, num_layers, num_heads, max_seq_len, theta, eps=1e-6):
    x = all_blocks(embed(token_ids, weights), weights, num_layers, num_heads, theta, eps)
    return output_head(final_norm(x, weights, eps), weights)
