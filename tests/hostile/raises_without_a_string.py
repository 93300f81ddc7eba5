# outcome: raised Bad
# contains: 'Bad: <exception str() failed>'
class Bad(Exception):
    def __str__(self):
        raise RuntimeError('no string')


raise Bad
