"""Which submissions of a class look alike. It says where to look, never what it means."""
