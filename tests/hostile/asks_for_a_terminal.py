# outcome: raised OSError
# contains: "OSError: [Errno 6] No such device or address: '/dev/tty'\n"
open('/dev/tty')
