"""Takes every exception that anybody raises, and goes on.
Expect: failed
"""
# layer: judge

import sys
import threading

sys.excepthook = threading.excepthook = sys.unraisablehook = lambda *arguments: None
