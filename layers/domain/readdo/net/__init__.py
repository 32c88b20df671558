"""Outgoing requests to addresses that users give. No other module may connect to them."""
