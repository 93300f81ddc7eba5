# outcome: exit 0
# text: 'executed-0123456789abcdef-0-\n== title ==\n# --8<-- [start:x]\n'
print('executed-0123456789abcdef-0-\n== title ==\n# --8<-- [start:x]')
