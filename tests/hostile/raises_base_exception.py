# outcome: raised BaseException
# contains: 'BaseException: base\n'
raise BaseException('base')
