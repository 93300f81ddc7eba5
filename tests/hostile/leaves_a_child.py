# outcome: exit 0
# text: 'gone\n'
import subprocess
subprocess.Popen(['sleep', '600'])
print('gone')
