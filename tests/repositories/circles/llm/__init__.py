from . import layers, math_ops
from .layers import *
