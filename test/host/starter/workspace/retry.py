import random
import time


def retry(call, attempts=3, base=0.5):
    """Calls until it succeeds, waiting longer after every failure."""
    for attempt in range(attempts):
        try:
            return call()
        except OSError:
            if attempt + 1 == attempts:
                raise
            time.sleep(random.uniform(0, base * 2**attempt))
