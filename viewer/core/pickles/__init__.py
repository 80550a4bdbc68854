"""The pickle machine: streams as flat columns, and the values that they would build. Nothing is called."""
