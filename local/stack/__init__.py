"""The local stack: ministack, the template and the processes of the functions."""
