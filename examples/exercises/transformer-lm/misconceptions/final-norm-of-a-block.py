"""The final norm uses a norm's weight from the last block.

It has factors of its own: final_norm.weight.
"""


def transformer_lm(token_ids, weights, num_layers, num_heads, max_seq_len, theta, eps=1e-5):
    x = all_blocks(embed(token_ids, weights), weights, num_layers, num_heads, theta, eps)
    factors = weights[f"layers.{num_layers - 1}.ffn_norm.weight"]
    return output_head(rms_norm(x, factors, eps), weights)
