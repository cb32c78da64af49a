from .multihead import multihead_self_attention_with_rope
from .positions import rope
