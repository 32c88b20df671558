import gc

# Fewer collections: by default Python looks at every new object several times while modules are imported, which took
# a tenth of the start of a function.
gc.set_threshold(50_000, 20, 20)
