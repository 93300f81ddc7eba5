# outcome: exit 0
# text: 'gone\n'
import subprocess
subprocess.Popen(['sh', '-c', 'sleep 5; echo late'])
print('gone')
