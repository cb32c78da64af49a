"""A transformer, written to be read."""

from transformer_from_scratch.core import multihead_self_attention_with_rope, rope
from transformer_from_scratch.core.dot import scaled_dot_product_attention
from transformer_from_scratch.cli import app
