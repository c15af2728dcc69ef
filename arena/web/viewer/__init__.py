"""The replay viewer: the document that it is made from, its pages with and without JavaScript, its pictures."""
