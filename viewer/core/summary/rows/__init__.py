"""What a file is and holds as rows of JSON, and as lines for people: `inspect` and the form `structure` write them."""
