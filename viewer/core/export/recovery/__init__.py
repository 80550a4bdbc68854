"""The recovery kit: a folder from which a whole model is rebuilt without the program that saved it."""
