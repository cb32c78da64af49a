import importlib.metadata

from .attention import multihead_self_attention_with_rope
from .norm import rmsnorm
from .tokenizer import Tokenizer

__version__ = importlib.metadata.version("my-lm")
