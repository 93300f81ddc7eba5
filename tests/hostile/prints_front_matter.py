# outcome: exit 0
# text: '---\nsnippet: other\nbody: sha256:0\n---\nrest\n'
print('---\nsnippet: other\nbody: sha256:0\n---\nrest')
