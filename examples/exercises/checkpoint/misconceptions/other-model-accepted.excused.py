"""A model with other weights is accepted.

`except` catches what `load_state_dict` raises, and training goes on with weights that were never restored. Let it through.
"""


def load_checkpoint(src, model, optimizer):
    checkpoint = read(src)
    try:
        restore_weights(model, checkpoint["weights"])
        restore_progress(optimizer, checkpoint["progress"])
    except (RuntimeError, ValueError):
        return 0
    return step_of(checkpoint)
