# outcome: exit 0
# text: 'written to a home of its own\n'
from pathlib import Path
for name in ('~/trace', '~/.cache/trace'):
    path = Path(name).expanduser()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
print('written to a home of its own')
