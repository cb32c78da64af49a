"""How somebody stands in what their courses ask for."""
