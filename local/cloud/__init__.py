"""Deploy, open and delete Read→Do in the user's AWS account: `make deploy` and related commands."""
