"""The line of submissions that wait for a judge: in which order they are sent, and where each one stands."""
