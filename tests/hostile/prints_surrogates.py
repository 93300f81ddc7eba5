# outcome: raised UnicodeEncodeError
# contains: 'UnicodeEncodeError'
print('\ud800')
