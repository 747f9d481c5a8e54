"""Laundry day: washers and dryers run by themselves, folding takes your hands."""
