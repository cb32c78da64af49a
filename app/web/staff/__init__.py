"""The pages of a course's staff, and of the service's operators."""
