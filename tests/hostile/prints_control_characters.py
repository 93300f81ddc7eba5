# outcome: exit 0
# text: 'a\\x00b\\x07c\\x7fd\\u2028e\\u202ef\n'
print('a\0b\x07c\x7fd\u2028e\u202ef')
