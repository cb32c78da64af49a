"""The GPU stages of submissions that have passed: sent, found again when lost, written down once, and shown."""
