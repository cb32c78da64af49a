"""tinytorch: tensors with gradients, in NumPy, small enough to read in one sitting.

Start with `core/tensor.py` for what a tensor can do, then `core/autograd.py` for how a gradient finds its way back.
"""
