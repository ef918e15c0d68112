# What is wrong with an entry of a form.
entry-required = A value is needed here.
