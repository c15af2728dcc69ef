"""What every test has in common."""

from hypothesis import settings

# A busy machine is no fault of the code under test: nothing here asserts time.
settings.register_profile("arena", deadline=None)
settings.load_profile("arena")
