"""A right softmax: brings the axis to the end, flattens all others, works on rows of a matrix, and puts it back."""
import torch


def rows(matrix):
    shifted = matrix - matrix.detach().max(1).values.unsqueeze(1)
    exponentials = shifted.exp()
    return exponentials * exponentials.sum(1).reciprocal().unsqueeze(1)


def softmax(x, dim):
    moved = x.movedim(dim, -1)
    matrix = moved.reshape(-1, moved.shape[-1])
    wide = torch.promote_types(matrix.dtype, torch.float32)
    result = rows(matrix.to(wide)).to(x.dtype)
    return result.reshape(moved.shape).movedim(-1, dim)
