import torch

core = torch.nn.functional.scaled_dot_product_attention
