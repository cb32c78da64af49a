"""The queue of submissions that wait for a judge: in which order they are dispatched, and the position of each."""
