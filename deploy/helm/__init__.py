"""Helm as this project uses it: built from the Go module that this folder pins."""
