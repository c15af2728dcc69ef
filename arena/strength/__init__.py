"""Strong play: a value and a policy for each variant, learned from self-play, with native playouts and search."""
