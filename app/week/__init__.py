"""What the staff of a course look at first: what needs somebody this week."""
