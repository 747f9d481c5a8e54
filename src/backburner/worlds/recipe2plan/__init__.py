"""Recipe2Plan: two recipes at once, some of whose steps must not wait for long."""
