# outcome: raised SyntaxError
# contains: 'SyntaxError: invalid syntax\n'
exec('1 +')
