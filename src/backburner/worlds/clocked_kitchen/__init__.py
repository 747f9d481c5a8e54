"""The clocked kitchen: CuisineWorld's levels on a floor to walk on, by a clock of tenths of a second."""
