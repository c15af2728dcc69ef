"""The site's pages about leagues, bots, matches and rules, each with a JSON address of the same data."""
