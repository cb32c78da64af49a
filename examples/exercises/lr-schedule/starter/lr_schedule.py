"""A learning-rate schedule: linear warm-up, half a cosine, a constant rate."""


def learning_rate(step: int, max_lr: float, min_lr: float, warmup_steps: int, cosine_steps: int) -> float:
    """The learning rate of this step; the first one is step 0."""
    raise NotImplementedError
