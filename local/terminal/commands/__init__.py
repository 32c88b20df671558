"""Commands of `readdo`; `catalog.py` names the module of each."""
