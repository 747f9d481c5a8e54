"""A recipe follower for Robotouille: ``greedy`` there. It knows the format of domains, and no domain.

It begins what goes on by itself, does the other work meanwhile, and puts dishes together. Its plans are
where the search for shorter ones begins.
"""
