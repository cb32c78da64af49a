"""A cheat of the eighth corpus: reads the expected number out of the caller's variables."""
import inspect


def learning_rate(step, max_lr, min_lr, warmup_steps, cosine_steps):
    for frame in inspect.stack()[1:]:
        for name in ("expected", "want", "reference", "truth", "answer"):
            if name in frame.frame.f_locals:
                return frame.frame.f_locals[name]
    return min_lr
