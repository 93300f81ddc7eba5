# outcome: raised RecursionError
# contains: 'RecursionError: maximum recursion depth exceeded'
def deeper():
    deeper()


deeper()
