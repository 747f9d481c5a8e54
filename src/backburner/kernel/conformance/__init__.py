"""The demands of the contract, one small function each; ``kernel.testing`` runs them on a world."""
