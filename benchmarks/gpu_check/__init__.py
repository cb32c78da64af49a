"""The GPU stage and its sandbox on this machine's GPU, whole: `make gpu-check`. docs/gpu.md says what it needs."""
