"""What a course asks for: challenges with their times, attempts and points."""
