"""Games of a person against house bots, played in the process that serves the pages."""
