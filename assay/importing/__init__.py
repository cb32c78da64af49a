"""Reads assignments of other graders and writes them as challenges. Only reads: nothing of them is run but confined."""
