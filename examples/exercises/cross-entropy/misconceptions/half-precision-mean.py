"""The losses are added up in half precision, one after the other.

A sum in float16 stops growing once what is added is less than half of its last digit. Average in float32.
"""


def widen(logits):
    return logits


def average(of_positions):
    first, *rest = of_positions.flatten().unbind()
    for one in rest:
        first = first + one
    return first / of_positions.numel()
