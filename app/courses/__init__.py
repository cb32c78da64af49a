"""What staff see of a course: its people and how they are doing."""
