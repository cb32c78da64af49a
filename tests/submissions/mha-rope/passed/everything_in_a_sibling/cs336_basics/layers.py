"""layers.py only imports: all code is in a sibling."""

from cs336_basics.model import (
    multihead_self_attention_with_rope,
    rope,
    scaled_dot_product_attention,
)
