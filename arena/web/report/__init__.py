"""Results as pictures and tables in one piece of HTML, which needs no server and no network."""
