diff --git a/layers.py b/layers.py
Rejected: not valid Python
--- a/layers.py
+++ b/layers.py
@@ -1 +1 @@
-pass
+import torch
