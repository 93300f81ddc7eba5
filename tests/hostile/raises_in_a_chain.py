# outcome: raised KeyError
# contains: 'The above exception was the direct cause'
try:
    1 / 0
except ZeroDivisionError as error:
    raise KeyError('second') from error
