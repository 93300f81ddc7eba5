# outcome: exit 0
# text: 'red and plain\n'
print('\x1b[1;31mred\x1b[0m and \x1b]0;title\x07plain')
