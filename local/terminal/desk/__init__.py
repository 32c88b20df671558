"""The Do desk in the terminal: tasks, the runs that were made of them, and how all of it does."""
