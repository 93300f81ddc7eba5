# outcome: raised ValueError
# contains: 'ValueError: reason\n'
print('before')
raise ValueError('reason')
