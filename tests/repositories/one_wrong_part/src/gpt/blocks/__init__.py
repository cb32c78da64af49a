from .attention import multihead_self_attention_with_rope
from .normalisation import rmsnorm
