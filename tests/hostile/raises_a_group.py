# outcome: raised ExceptionGroup
# contains: 'ExceptionGroup: both'
raise ExceptionGroup('both', [ValueError(1), KeyError(2)])
