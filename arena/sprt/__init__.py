"""Sequential tests: is this version of a bot better than that one?"""
