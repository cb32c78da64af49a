<!DOCTYPE html>
<html><head><title>layers.py</title></head>
<!--
Rejected: not valid Python
-->
<body><pre>def rope</pre></body></html>
