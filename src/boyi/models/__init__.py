"""What deep and quick nets have in common on disk: a card beside the weights, whole or refused."""
