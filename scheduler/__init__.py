"""Filters, weighers and capacity arithmetic as pure functions, and the placement that uses them."""
