"""Read→Do in one's own AWS account: put there, opened, and taken away again. What `make deploy` and its like run."""
