"""Gradient clipping, with an object for all gradients of a model."""

import math


class LongVector:
    """The gradients of a model, as if they were one vector."""

    def __init__(self, parameters):
        self.pieces = []
        for parameter in parameters:
            piece = parameter.grad
            if piece is None:
                continue
            self.pieces.append(piece)

    def length(self):
        """The root of the sum of all squares, as a number of Python's."""
        energy = 0.0
        for piece in self.pieces:
            energy += float(piece.pow(2).sum())
        return math.sqrt(energy)

    def shrink(self, ratio):
        """Every piece in its own memory."""
        for piece in self.pieces:
            piece.mul_(ratio)


def clip_gradients(parameters, max_norm, eps=1e-6):
    """Shortens the vector where it is longer than allowed."""
    vector = LongVector(parameters)
    length = vector.length()
    if length > max_norm:
        vector.shrink(max_norm / (length + eps))
