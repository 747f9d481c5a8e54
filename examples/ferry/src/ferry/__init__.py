"""Carts of ice are brought across a river: a world that is as small as one can be."""
