# outcome: exit 0
# text: '/\n'
import os
os.chdir('/')
print(os.getcwd())
