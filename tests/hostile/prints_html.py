# outcome: exit 0
# text: '<script>alert(1)</script> &amp; <b>\n'
print('<script>alert(1)</script> &amp; <b>')
