"""Keys that begin with layers.1 are taken for those of layer 1.

So do those of layers.10 and layers.11. The dot after the number belongs to the prefix.
"""


def weights_of_layer(weights, layer):
    prefix = f"layers.{layer}"
    return {
        key[len(prefix) :].lstrip("0123456789."): weight for key, weight in weights.items() if key.startswith(prefix)
    }
