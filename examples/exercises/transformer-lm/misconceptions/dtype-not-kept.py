"""Logits are float32, whatever the weights are.

Weights of float64 want logits of float64. Follow their dtype instead of naming one.
"""


def output_head(x, weights):
    return project(x, weights["lm_head.weight"]).float()
