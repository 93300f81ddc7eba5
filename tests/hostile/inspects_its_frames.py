# outcome: exit 0
# text: 'inspects_its_frames.py\n'
import inspect
print([frame.filename for frame in inspect.stack()][0])
