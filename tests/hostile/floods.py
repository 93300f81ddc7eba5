# outcome: printed more than 4 MiB
# contains: 'xxxx'
while True:
    print('x' * 4096)
