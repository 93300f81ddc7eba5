# outcome: exit 0
# text: '# not a heading\n\n* [link](x) `code`\n\n```\nfence\n'
print('# not a heading\n\n* [link](x) `code`\n\n```\nfence')
