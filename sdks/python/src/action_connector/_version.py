"""The version of this package; the tests hold it equal to pyproject.toml."""

__version__ = "1.0.0"
