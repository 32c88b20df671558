"""`readdo`: Read→Do in a terminal. It speaks HTTP to the address it is given and knows nothing of what is behind."""

VERSION = "0.1.0"
