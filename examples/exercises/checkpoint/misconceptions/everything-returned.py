"""`load_checkpoint` returns more than the step.

Model and optimizer are changed in place, so there is nothing else to hand out. The result is the step, as an int.
"""


def load_checkpoint(src, model, optimizer):
    checkpoint = read(src)
    restore_weights(model, checkpoint["weights"])
    restore_progress(optimizer, checkpoint["progress"])
    return model, optimizer, step_of(checkpoint)
