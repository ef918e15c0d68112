# 表单条目的错误。
entry-required = 此处需要填写。
entry-too-short = 至少需要 { $least } 个字符，目前有 { $actual } 个。
entry-too-long = 最多允许 { $most } 个字符，目前有 { $actual } 个。
entry-pattern = 与要求的格式 { $pattern } 不符。
entry-not-email = 这不是有效的电子邮件地址。
entry-not-uri = 这不是完整的网址，应类似 https://example.com。
entry-not-date = 这不是真实存在的日期，应写作 2026-06-15 的形式。
entry-not-date-time = 这不是有效的日期时间，应写作 2026-06-15T09:30:00+02:00 的形式。
entry-offset-missing = 缺少时区偏移，请在末尾写上 +08:00 或 Z。
entry-not-number = 这不是数字。
entry-not-integer = 必须是整数。
entry-not-representable = 这个数字过大或过于精细，无法原样发送。
entry-too-small = 不能小于 { $bound }。
entry-not-above = 必须大于 { $bound }。
entry-too-large = 不能大于 { $bound }。
entry-not-below = 必须小于 { $bound }。
entry-not-multiple = 必须是 { $of } 的倍数。
entry-too-few = 至少选择 { $least } 项，目前选了 { $actual } 项。
entry-too-many = 最多选择 { $most } 项，目前选了 { $actual } 项。
entry-item = 列表第 { $number } 项：{ $error }
entry-not-json = 这不是有效的 JSON：{ $detail }
entry-wrong-kind = 此字段需要另一种类型的内容。
entry-schema = 不符合服务器给出的结构：{ $detail }

# 标签里的填写要求。
limits-separator = ，
limits-characters-exactly = { $count } 个字符
limits-characters-between = { $least }–{ $most } 个字符
limits-characters-at-least = 至少 { $count } 个字符
limits-characters-at-most = 最多 { $count } 个字符
limits-pattern = 格式 { $pattern }
limits-email = 电子邮件地址
limits-uri = 网址
limits-date = 日期，如 2026-06-15
limits-date-time = 日期时间，如 2026-06-15T09:30:00+08:00
limits-integer = 整数
limits-number = 数字
limits-range = { $least } 到 { $most }
limits-least = 不小于 { $bound }
limits-above = 大于 { $bound }
limits-most = 不大于 { $bound }
limits-below = 小于 { $bound }
limits-multiple = { $of } 的倍数
limits-boolean = 是或否
limits-choice = 单选
limits-choices = 可多选
limits-choices-exactly = 选择 { $count } 项
limits-choices-between = 选择 { $least } 到 { $most } 项
limits-choices-at-least = 至少选择 { $count } 项
limits-choices-at-most = 最多选择 { $count } 项
limits-text = 文本
limits-true-false = true 或 false
limits-or = 或
limits-lines = 每行一项
limits-items-exactly = 共 { $count } 项
limits-items-between = { $least } 到 { $most } 项
limits-items-at-least = 至少 { $count } 项
limits-items-at-most = 最多 { $count } 项
limits-json = JSON

# 字段的读取说明。
note-default-ignored = 服务器给出的默认值 { $default } 不符合此字段的要求，未予采用。
note-names-do-not-fit = 服务器给出的名称与取值数目不符，缺少名称处显示取值本身。
note-unknown-format = 未检查格式“{ $format }”。
note-pattern-unusable = 无法使用格式 { $pattern }，此处未作检查。
note-fixed = 此值由服务器固定。
json-object = 这里是一个对象，请以 JSON 填写。
json-list = 这里是一个列表，请以 JSON 填写。
json-alternatives = 这里可以有多种形式，请以 JSON 填写。
json-anything = 服务器没有说明填写什么，可填写任意 JSON。
unanswerable-not-allowed = 此表单无法作答：它要求填写“{ $key }”，却又不允许出现该字段。您只能拒绝或取消。
unanswerable-no-value = 此表单无法作答：“{ $key }”没有任何可用的取值。您只能拒绝或取消。

# 机密信息。
secret-field = 这里似乎在索要机密信息（“{ $found }”）。您填写的内容会以明文发送给 { $server }。
secret-form = 此表单似乎在索要机密信息。表单不得如此：{ $server } 应改用网页方式。建议拒绝。

# 网址绝不会被打开的原因。
address-too-long = 绝不会打开：长度为 { $bytes } 字节，最多允许 { $most } 字节。
address-control-characters = 绝不会打开：其中含有换行符或控制字符。
address-blanks = 绝不会打开：其中含有空白。
address-not-absolute = 绝不会打开：这不是完整的网址。
address-other-scheme = 绝不会打开：“{ $scheme }:”不是网页地址，只打开 http 和 https。
address-bad-host = 绝不会打开：不可能存在这样的主机。
address-malformed = 绝不会打开：不同程序会对此网址的去向作出不同的理解。

# 网址的可疑之处。
address-user-info = @ 之前的内容不是主机名，而是用户名或密码，也可能意在误导。
address-mixed-scripts = 主机名混用了不同文字的字母。
address-looks-like = 主机名看起来像 { $plain }，但并不是。
address-domain-in-subdomain = “{ $domain }”只是主机名的一部分，该网页并不属于它。
address-in-path = 此网址中夹带了另一个网址，但并不通往那里。
address-disguised = 主机名的写法经过伪装，实际为 { $host }。
address-punycode = 主机名含有 a–z 以外的字符，可能与其他字符相似。实际连接的是 { $ascii }。
address-hidden-characters = 其中含有不可见的字符，或改变书写方向的字符。
address-backslashes = 其中含有反斜杠，不同程序对它的理解不尽相同。
address-ip = 主机是一个裸 IP 地址，而不是域名。
address-this-computer = 它通往本机。
address-private = 它通往您自己的网络。
address-link-local = 它通往与本机直接相连的设备。
address-metadata = 云主机在此存放其凭据。
address-plain-http = 未加密：他人可以读取和篡改传输的内容。
address-port = 端口不寻常：{ $port }。
address-long = 网址非常长（{ $bytes } 字节）。

# 给服务器作者的提示。
author-old-dialect = 致服务器作者：“{ $found }”出自旧教程，标准名称是“{ $instead }”。
author-deprecated = 致服务器作者：“{ $feature }”自 2026-07-28 版起已弃用。

# 询问无法提出的原因。
problem-unknown-method = 服务器使用了“{ $method }”，协议中没有这种询问。
problem-undeclared = 服务器询问了并未向其提供的功能（{ $capability }）。
problem-invalid = 服务器的询问有误，位置 { $path }：{ $what }

# 调用的对象。
call-tool = 工具 { $subject }
call-prompt = 提示 { $subject }
call-resource = 资源 { $subject }

# 作答者。
by-person = 某人
by-answers = 答案文件
by-policy = 您的策略规则
by-model = 模型
by-config = 您的配置
by-nobody = 无人

# 询问关闭的原因。
closed-answered = 已全部作答。
closed-elsewhere = { $server } 不再等待此回答：{ $by }已先行作答。您的回答未发送。
closed-pages-done = { $server } 表示已完成。正在重试此次调用。
closed-withdrawn = { $server } 不再等待此回答：询问已被撤回。您的回答未发送。
closed-timed-out = { $server } 不再等待此回答：调用已超时。您的回答未发送。
closed-stopped = { $server } 不再等待此回答：调用已停止。您的回答未发送。
closed-disconnected = { $server } 不再等待此回答：连接已断开。您的回答未发送。
closed-call-ended = { $server } 不再等待此回答：调用已经结束。您的回答未发送。

# 调用为何不再等待决定。
wait-closed-goes-on = 正在再次调用 { $server }：已由他人决定。
wait-closed-stopped = 对 { $server } 的调用已被停止。不会再次发送任何内容。
wait-closed-ended = 对 { $server } 的调用已结束。不会再次发送任何内容。

# 回答未被接受的原因。
rejected-already-answered = 未发送：{ $by }已经作答。
rejected-no-longer-wanted = 未发送：服务器不再等待此回答。
rejected-invalid = 未发送：内容不符合表单要求。
rejected-wrong-kind = 未发送：这种回答不适用于此询问。
rejected-desk-closed = 未发送：程序正在关闭。

# 采样：为什么选择这个模型。
why-hint = 它符合服务器的提示“{ $hint }”{ $among }。
why-vendor = 它来自服务器的提示“{ $hint }”所指的厂商{ $among }。
why-class = 它是{ $class }，与服务器希望的“{ $hint }”同类{ $among }。
why-priorities = 它最符合服务器的优先级（{ $priorities }）。
why-default = 它是您的默认模型。
why-default-missed = 它是您的默认模型；您的模型都不符合服务器的提示。
why-only-one = 您的模型中只有它能处理这个请求。
why-first = 它是您列出的第一个模型。
why-first-missed = 它是您列出的第一个模型；您的模型都不符合服务器的提示。
among-priorities = ，并且在符合的模型中最符合服务器的优先级
among-default = ，并且在符合的模型中是您的默认模型
among-order = ，并且在符合的模型中列在最前
class-small = 小型快速模型
class-middle = 通用模型
class-large = 大型模型
priority-cost = 费用
priority-speed = 速度
priority-intelligence = 智能

# 为什么不能使用某个模型。
unfit-not-allowed = 不允许用于此服务器
unfit-no-tools = 不支持工具
unfit-no-images = 不支持图片
unfit-no-audio = 不支持音频
unfit-context = 最多处理 { $context } 个 token，而这个请求约有 { $input } 个

# 限额。
exceeded-stopped = 您已停止所有采样。
exceeded-loop = 在这段对话中工具结果已返回 { $rounds } 次；您的上限是 { $limit } 次。
exceeded-requests = 您每分钟 { $limit } 次请求的限额已用完。
exceeded-tokens = 这个请求约需 { $needed } 个 token；您每天 { $limit } 个的限额还剩 { $left } 个。
exceeded-money = 这个请求至少花费 { $needed }；您每天 { $limit } 的限额还剩 { $left }。
exceeded-again-seconds = { $count } 秒后可再试。
exceeded-again-minutes = { $count } 分钟后可再试。
exceeded-and-again = { $what }{ $again }
exceeded-again-hours = { $count } 小时后可再试。
capped-by-reply = 最多 { $most } 个 token，即您对回复的上限（服务器要求 { $asked } 个）
capped-by-day = 最多 { $most } 个 token，即今天剩余的全部（服务器要求 { $asked } 个）
capped-by-money = 最多 { $most } 个 token，即今天剩余的钱所能支付的（服务器要求 { $asked } 个）
capped-by-context = 最多 { $most } 个 token，即模型所能容纳的（服务器要求 { $asked } 个）
left-requests = 本分钟 { $count } 次请求
left-tokens = 今天 { $count } 个 token
left-money = 今天 { $sum }
cost-range = { $least } 至 { $most }

# 对模型隐藏的机密。
secret-hidden = { $kind } { $shown } → { $placeholder }（{ $places }）
secret-shown = { $kind } { $shown }（{ $places }）
secret-private-key = 私钥
secret-aws = AWS 密钥
secret-github = GitHub 令牌
secret-gitlab = GitLab 令牌
secret-slack = Slack 令牌
secret-google = Google 密钥
secret-stripe = Stripe 密钥
secret-model-provider = 模型服务商的密钥
secret-service = 访问令牌
secret-jwt = JSON Web Token
secret-url-password = 地址中的密码
secret-authorization = 请求的登录凭据
secret-named = 名称表明是机密的值
secret-own = 您要隐藏的文本
secret-random = 看似随机的令牌
place-system-prompt = 系统提示词
place-message = 第 { $number } 条消息
place-tool = 工具
place-stop-sequence = 停止序列
place-metadata = 元数据

# 服务器的限额。
limit-requests = 每分钟 { $count } 次请求
limit-tokens = 每天 { $count } 个 token
limit-money = 每天 { $sum }
limit-reply = 每次回复最多 { $count } 个 token
limit-loop = 每段对话中工具结果最多返回 { $count } 次
matched-hint = 符合提示“{ $hint }”
matched-alike = 与提示“{ $hint }”相近

# 修改后的请求有什么问题。
edit-error = 第 { $line } 行：{ $problem }
edit-unknown-setting = “{ $text }”不是设置项。
edit-set-twice = { $text } 设置了两次。
edit-max-tokens = max-tokens 必须是 1 到 { $most } 之间的整数。
edit-temperature = temperature 必须是不小于 0 的数。
edit-quotes = “{ $text }”不是带引号的文本。
edit-unknown-tool = 服务器没有提供工具“{ $text }”。
edit-unknown-section = 请求中没有“{ $text }”这一节。
edit-section-twice = “{ $text }”这一节出现了两次。
edit-fixed = “{ $text }”这一节不能修改或删去。
edit-empty = 没有留下任何消息。
