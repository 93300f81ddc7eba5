# outcome: exit 0
# text: 'fine\n'
print('fine')
