"""Takes the GPU for a child that is confined already, before it has read anything: the context that its calls use."""

import torch


def open_context() -> None:
    """Makes a CUDA context: some seconds, some hundred MB. Raises RuntimeError, AssertionError without CUDA."""
    torch.zeros(1, device="cuda")
    torch.cuda.synchronize()
