"""The mistake is in a sibling module: V goes through the same function as Q and K.
Diagnosis: rope-on-v
"""

from cs336_basics.heads import multihead_self_attention_with_rope
from cs336_basics.parts import rope, scaled_dot_product_attention
