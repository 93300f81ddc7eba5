# outcome: raised ValueError
# contains: 'ValueError: first\nKeyError: second\n'
raise ValueError('first\nKeyError: second')
