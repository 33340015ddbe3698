// In front of every kernel.
