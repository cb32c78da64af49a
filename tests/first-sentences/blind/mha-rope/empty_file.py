# Says: Your file is empty: it has to define `rope`, `scaled_dot_product_attention` and `multihead_self_attention_with_rope`.
# Line: none
# Names: empty
# Kind: refused
