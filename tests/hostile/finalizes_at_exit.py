# outcome: exit 0
# text: 'end\nfinalized\n'
import weakref


class Told:
    pass


told = Told()
weakref.finalize(told, print, "finalized")
print("end")
