# outcome: exit 0
# text: 'end\ngone plain\ngone cycle\n'
class Told:
    def __init__(self, name):
        self.name = name

    def __del__(self):
        print("gone", self.name)


plain = Told("plain")
cycle = Told("cycle")
cycle.itself = cycle
print("end")
