"""Tensors, gradients, layers and activations."""
