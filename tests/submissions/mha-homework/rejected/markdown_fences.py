```python
# Rejected: not valid Python
import torch
```
