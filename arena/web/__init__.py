"""Pages for people: the site's skeleton, the cards, the replay viewer. Every page is whole without JavaScript."""
