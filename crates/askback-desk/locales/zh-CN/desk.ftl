# 表单条目的错误。
entry-required = 此处需要填写。
