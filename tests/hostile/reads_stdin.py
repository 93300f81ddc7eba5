# outcome: raised EOFError
# contains: 'EOFError: EOF when reading a line\n'
print('before')
input()
