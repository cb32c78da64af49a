"""Hands in the library's own function under its own name.
Expect: rejected|failed|error
"""
# layer: judge

scaled_dot_product_attention = getattr(torch.nn.functional, "scaled_" + "dot_product_attention")
