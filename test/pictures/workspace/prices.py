from dataclasses import dataclass


@dataclass(frozen=True)
class Item:
    name: str
    price: float
    quantity: int


def total_price(items: list[Item]) -> float:
    """Returns the total price of all items."""
    return sum(item.price * item.quantity for item in items)


def median_price(prices: list[float]) -> float:
    """Returns the median of all prices."""
    
