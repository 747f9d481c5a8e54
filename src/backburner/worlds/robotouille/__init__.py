"""Robotouille: kitchens described in JSON, effects that come later, one robot or several."""
