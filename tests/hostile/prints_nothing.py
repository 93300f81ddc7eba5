# outcome: exit 0
# text: ''
pass
