# 询问的抬头。
term-asks-form = { $server } 请您提供信息
term-asks-confirm = { $server } 请您确认
term-asks-url = { $server } 请您打开一个网页
term-asks-sampling = { $server } 请求语言模型回复
term-asks-roots = { $server } 想知道您的文件夹
term-for-call = 所属调用：{ $call }
term-for-one-of = 所属调用为其中之一：{ $calls }
term-no-call = 不属于任何调用
term-round = 第 { $number } 轮（最多 { $most } 轮）
term-question = 第 { $number }/{ $of } 个问题
term-list-separator = 、
term-colon = ：
term-no-message = { $server } 没有说明原因。
term-waiting = 还有 { $count } 个询问在等待。

# 字段。
term-field = 第 { $number }/{ $of } 项
term-required = 必填
term-optional = 选填
term-default = 默认：{ $value }
term-left-out = 不填
term-leave-out = 不填
term-empty-text = （空文本）
term-empty-list = （空列表）
term-yes = 是
term-no = 否
term-choose-first = 请先选择一项。
term-filter =
    { $count ->
        [0] 没有与“{ $filter }”相符的选项
       *[other] 有 { $count } 项与“{ $filter }”相符
    }
term-more = …… 还有 { $count } 项
term-more-above = …… 上方还有 { $count } 项
term-in-full-above = 全文见上方。
term-offset-to-add = 缺少与 UTC 的时差。按 Enter 补上您所在时区的 { $offset }。
term-offset-added = 已补上您所在时区与 UTC 的时差 { $offset }。按 Enter 继续。
term-weekday =
    { $day ->
        [1] 星期一
        [2] 星期二
        [3] 星期三
        [4] 星期四
        [5] 星期五
        [6] 星期六
       *[7] 星期日
    }
term-secret-override = 若仍要填写，请先输入“{ $word }”。
term-secret-word = yes
term-secret-locked = 此项必填。输入“{ $word }”后填写，或按 Ctrl-X 拒绝。

# 按键的作用。
term-do-next = 下一项
term-do-back = 返回
term-do-move = 移动
term-do-choose = 选定
term-do-tick = 勾选
term-do-filter = 搜索
term-do-new-line = 换行
term-do-editor = 用您的编辑器
term-do-empty-text = 空文本
term-do-no-text = 不填文本
term-do-empty-list = 空列表
term-do-no-list = 不填列表
term-do-clear = 清空
term-do-edit = 修改
term-do-review = 核对
term-do-decline = 拒绝
term-do-cancel = 取消
term-do-refuse = 拒绝

# 选项。
term-choice-send = 发送
term-choice-edit = 修改
term-choice-accept = 接受
term-choice-decline = 拒绝
term-choice-cancel = 取消
term-choice-open = 在浏览器中打开
term-choice-show = 同意，但只显示网址
term-choice-write = 撰写回复
term-choice-call = 调用工具
term-choice-no-folders = 不共享任何文件夹

# 核对。
term-review = 即将发送给 { $server }：
term-review-refused = 暂时无法发送：
term-review-reply = 即将作为模型的回复发送给 { $server }：
term-pick-field = 修改哪一项？
term-confirm = 接受只表示您同意，{ $server } 不会得到其他内容。

# 拒绝。
term-decline-title = 拒绝
term-decline-why = 为什么？理由可以不写；写了 { $server } 会看到。
term-decline-why-unheard = 为什么？理由可以不写；只保存在本机，{ $server } 不会看到。
term-decline-this = 仅此问题
term-decline-all = 暂时拒绝 { $server } 的一切询问
term-decline-all-and-rest = 暂时拒绝 { $server } 的一切询问，包括后面的问题
term-reason-given = 理由：{ $reason }

# 结果。
term-kept = 已回答；将与其余回答一起发送给 { $server }。
term-sent = 已发送给 { $server }。
term-consented = 已告知 { $server } 您同意。网址：
term-consented-opening = 已告知 { $server } 您同意。正在打开网页……
term-declined = 已拒绝，并告知 { $server }。
term-cancelled = 已取消，并告知 { $server } 您没有选择。
term-agreed = 您已同意。网址：
term-agreed-opening = 您已同意。正在打开网页……
term-declined-unheard = 已拒绝。调用结束；{ $server } 不会得知原因。
term-cancelled-unheard = 已取消。调用结束；{ $server } 不会得知原因。
term-page-hint = 若网页没有出现，请复制上面的网址。
term-page-hint-stop = 按 Ctrl-C 可停止调用。
term-page-failed = 无法打开网页（{ $why }）。请复制网址：

# 网页。
term-leads-to = 通往
term-reads-as = 读作
term-url-consent = 您在网页上的操作只有该网页知道；{ $server } 只会得知您已同意。
term-url-consent-unheard = 您在网页上的操作只有该网页知道。{ $server } 不会得知任何内容；之后将重试此次调用。

# 等待网页。
term-wait-title = 您处理完网页后，{ $server } 才会继续
term-wait-explained = 请在网页上完成操作，然后重试。若 { $server } 表示已完成，调用会自动继续。
term-choice-try-again = 重试此次调用
term-choice-give-up = 结束此次调用
term-trying-again = 正在重试……
term-gave-up = 调用结束；{ $server } 不会得知原因。
term-do-end-call = 结束调用

# 没有得到回应的回答。
term-resend-title = { $server } 没有回应您的回答
term-resend-explained = 您的回答已保留。只有您同意，才会再次发送。
term-what-happened = 发生了什么
term-may-have-acted = { $server } 可能已收到您的回答并执行了操作。再次发送可能会使操作重复执行。
term-has-not-acted = { $server } 没有根据您的回答执行操作。
term-choice-send-again = 再次发送
term-sending-again = 正在再次发送您的回答……
term-not-sent-again = 调用结束。不会再次发送任何内容。

# 调用期间的登录。
term-login-title = { $server } 要求您先登录，调用才能继续
term-login-at = 登录服务
term-login-scopes = 授权范围
term-login-any-scope = 授权范围由该网页决定。
term-login-explained = 网页会在您的浏览器中打开。登录后，调用会自动继续；您所用的时间不计入时限。
term-choice-log-in = 登录
term-choice-no-login = 不登录
term-logging-in = 正在打开网页，等待您返回……
term-not-logged-in = 未打开任何网页。{ $server } 不会放行此次调用。

# 文件夹。
term-roots-here = { $server } 想知道您打开了哪些文件夹。文件夹通过配置共享，不在此处共享。

# 采样。
term-no-model = 没有配置模型，因此由您亲自撰写回复。
term-system-prompt = 系统提示
term-role-user = 用户
term-role-assistant = 助手
term-tools = 模型可以调用的工具
term-image = ▣ 图片，{ $type }，{ $size }
term-audio = ♪ 音频，{ $type }，{ $size }
term-calls-tool = → 调用 { $tool }
term-tool-result = ← 结果
term-tool-error = ← 结果（出错）
term-max-tokens = 长度
term-tokens = 最多 { $count } 个 token
term-model-hints = 希望的模型
term-priorities = 优先级（0 到 1）
term-cost = 成本
term-speed = 速度
term-intelligence = 智能
term-temperature = 温度
term-stop-sequences = 停止于
term-include-context = 要求上下文
term-metadata = 元数据
term-must-call = { $server } 只接受工具调用，不接受文本。
term-must-not-call = { $server } 在此不接受工具调用。
term-your-reply = 您给 { $server } 的回复
term-empty-reply = 回复不能为空。
term-pick-tool = 调用哪个工具？
term-input-of = { $tool } 的输入
term-input-json = 请写成 JSON 对象。
term-not-an-object = 这不是 JSON 对象：{ $detail }

# 第一关：模型会得到什么。
term-model-waits = 将由您的模型回复。目前尚未向它发送任何内容。
term-not-included = { $what }（不附带）
term-included = { $what }（按您的设置，已在系统提示中附上它自己的上下文）
term-model = 模型
term-model-of = { $name }（{ $id }）
term-why = 原因
term-you-chose = 由您选定。
term-size = 用量
term-size-of = 约 { $input } 个 token 发给模型，最多返回 { $output } 个
term-size-short = 约 { $input } 个 token，最多返回 { $output } 个
term-cost-of = 费用
term-cost-unknown = 价格未知
term-shorter = 缩短
term-limits-left = 剩余
term-no-model-fits = 您的模型都无法处理这个请求：
term-hidden = 对模型隐藏：
term-not-hidden = 不隐藏；模型会看到：
term-changed = 您所做的修改：
term-message-of = 第 { $number } 条消息，{ $role }
term-left-out-part = 已删去第 { $part } 部分
term-choice-ask = 交给 { $model }
term-choice-look-again = 重新检查限额
term-choice-draft = 回到草稿
term-choice-models = 另选模型……
term-choice-edit-request = 修改请求……
term-choice-show-secrets = 让模型看到机密原文
term-choice-hide = 对模型隐藏机密
term-choice-write-yourself = 亲自撰写回复
term-choice-call-yourself = 亲自调用工具
term-choice-permit = 允许 { $server } 使用模型而不再询问我……
term-model-stopped = 已停止。已写的内容不予保留。
term-edit-again = 您的文本已保留。按 Ctrl-E 可再次打开。

# 另选模型。
term-pick-model = 使用哪个模型？
term-models-unusable = 无法处理这个请求：

# 修改请求或草稿。
term-pick-part = 修改哪一部分？
term-part-tokens = 回复长度（token 数）
term-part-whole = 在您的编辑器中修改全部
term-part-undo = 撤销所有修改
term-part-text = 文本
term-part-instead = 用文本代替工具调用
term-tokens-range = 必须是 1 到 { $most } 之间的整数。
term-nothing-left = 这样就没有消息了。
term-empty-is-left-out = 留空即删去。
term-do-take = 完成
term-edit-comment =
    修改模型将看到的内容。各节和 tool 行可以删去，但不能新增。
    文本原样写在标题下方。temperature 留空则由模型决定。

# 授权。
term-permit-title = 允许 { $server } 使用您的模型而不再询问您？
term-permit-what = { $server } 的请求会直接交给模型，回复会直接返回，您都不会看到。
term-permit-models = 模型：{ $models }。每次使用最合适的一个。
term-permit-limits = 限额：{ $limits }。超出限额的请求仍由您决定。
term-permit-no-limits = 您没有为它设置限额。
term-permit-secrets = 发现的机密仍对模型隐藏。
term-permit-now = 这个请求现在按上面所示交给 { $model }。它的回复仍会先让您过目。
term-permit-revoke = “始终允许”可用以下命令收回：askback models revoke { $server }
term-choice-session = 允许，直到本次运行结束
term-choice-always = 始终允许，直到我收回
term-choice-back = 不允许，返回
term-permitted-session = 在本次运行结束之前，{ $server } 可以使用您的模型而不再询问您。
term-permitted-always = { $server } 始终可以使用您的模型而不再询问您。收回：askback models revoke { $server }
term-permitted-unwritten = 无法保存这项授权（{ $why }）。{ $server } 可以使用您的模型，直到本次运行结束。

# 模型正在工作。
term-model-asked = 已交给 { $model }。
term-said-hidden = 对它隐藏了 { $count } 处机密。
term-said-shown = 它会看到 { $count } 处机密。
term-working = { $model } 正在撰写……
term-thinking = 思考过程，不属于回复
term-do-stop = 停止
term-draft-lost = 模型停止了，没有给出回复。

# 第二关：草稿。
term-draft-empty = 模型没有写出任何内容。
term-written-by = 由 { $model } 撰写
term-tokens-used = 读取 { $read } 个 token，写出 { $written } 个
term-stopped-by = 停止原因 { $reason }
term-not-taken = 模型不支持以下设置，回复时未使用：{ $names }
term-with-placeholders = 隐藏的机密显示为占位符，{ $server } 得到的也是这样。
term-with-secrets = 机密已恢复原文。{ $server } 会看到它们，与此处显示的完全一致。
term-draft-edited = 您对草稿的修改（仍以 { $model } 的名义返回）：
term-choice-send-secrets = 连同机密发送
term-choice-restore = 恢复机密原文并再次核对
term-choice-placeholders = 保留占位符
term-choice-regenerate = 让模型重新回复
term-choice-request = 回到请求

# 用户自己的编辑器。
term-editor-failed = 无法使用编辑器：{ $why }
term-no-editor = 没有设置编辑器。
term-unusable = 无法读取按键，此处不能提出询问：{ $why }
