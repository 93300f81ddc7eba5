# outcome: exit 0
# text: '--8<-- "ch02/x.py"\n{{ outputs("ch02/x") }}\n{% raw %}\n'
print('--8<-- "ch02/x.py"\n{{ outputs("ch02/x") }}\n{% raw %}')
