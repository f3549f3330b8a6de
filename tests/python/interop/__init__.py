"""Themes of the interop corpus, one module per chapter of the file format."""
