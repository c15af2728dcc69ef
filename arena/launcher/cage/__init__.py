"""A cage for programs that are not trusted: bubblewrap, a seccomp filter, limits, and freezing. See docs/cage.md."""
