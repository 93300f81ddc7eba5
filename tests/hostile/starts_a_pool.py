# outcome: exit 0
# text: '[0, 1, 4, 9]\n'
from concurrent.futures import ProcessPoolExecutor


def square(x):
    return x * x


with ProcessPoolExecutor(2) as pool:
    print(list(pool.map(square, range(4))))
