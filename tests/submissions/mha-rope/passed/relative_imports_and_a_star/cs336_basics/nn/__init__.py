"""The parts."""

from .attention import scaled_dot_product_attention
from .rotary import rope
