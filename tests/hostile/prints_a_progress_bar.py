# outcome: exit 0
# text: '100 %\n'
for i in range(0, 101, 25):
    print(f'\r{i} %', end='')
print()
