"""The sweep: files cut at many places and with bytes flipped, all of which must open, be tiled and be told of."""
