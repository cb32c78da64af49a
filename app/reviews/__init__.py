"""Free texts are read by people: a queue with a rubric, two readers where wanted, and an optional helper."""
