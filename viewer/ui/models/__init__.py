"""Thin adapters between core's rows and Qt's views. Ids are ints; texts are made when a row is drawn."""
