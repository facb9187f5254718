from dataclasses import dataclass


@dataclass(frozen=True)
class Item:
    name: str
    price: float
    quantity: int


def total_price(items: list[Item]) -> float:
    """What all items cost together."""
    return sum(item.price * item.quantity for item in items)


def median_price(prices: list[float]) -> float:
    """The middle of all prices: half of them are lower."""
    
