# outcome: raised KeyboardInterrupt
# contains: 'KeyboardInterrupt\n'
raise KeyboardInterrupt
