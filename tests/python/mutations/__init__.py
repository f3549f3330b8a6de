"""Operators that damage or bend a sample, one module per chapter of the format."""
