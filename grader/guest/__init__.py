"""What goes into the sandbox with a submission: reads it, loads it, makes calls and watches them. The judge uses it
too, for code that it trusts. A submission can read all of this, so it holds no secret and knows nothing else of ours.
"""
