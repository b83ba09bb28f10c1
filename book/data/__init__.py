"""The data of the book; see README.md in this folder."""
