# outcome: exit 0
# text: 'no newline'
print('no newline', end='')
