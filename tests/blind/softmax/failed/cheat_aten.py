"""A cheat of the eighth corpus: calls the library's kernel under torch.ops.aten."""
import torch


def softmax(x, dim):
    op = torch.ops.aten
    return getattr(op, "_soft" + "max").default(x, dim, False)
