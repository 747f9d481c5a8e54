"""Episodes put into classes by people and judge models, and single decisions asked for again."""
