"""Weights are taken out of the caller's dictionary.

`pop` removes what it returns, so the next call finds nothing. Read with square brackets.
"""


def transformer_lm(token_ids, weights, num_layers, num_heads, max_seq_len, theta, eps=1e-5):
    own = {key: weights.pop(key) for key in list(weights)}
    x = all_blocks(embed(token_ids, own), own, num_layers, num_heads, theta, eps)
    return output_head(final_norm(x, own, eps), own)
