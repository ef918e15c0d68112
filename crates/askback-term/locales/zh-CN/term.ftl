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
term-choice-share-once = 共享所勾选的文件夹，仅限本次运行
term-choice-share-always = 今后一直与 { $server } 共享这些文件夹
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

# 文件夹。
term-roots-here = { $server } 会得知所勾选文件夹的名称和路径，不会得知其中的内容。在本机运行的服务器也许能自行读取这些文件夹。
term-roots-nothing = { $server } 想知道您打开了哪些文件夹；目前没有打开任何文件夹。
term-roots-excluded = 从不共享：{ $globs }。如果 { $server } 能读取上级文件夹，仍可能读到这些内容。
term-roots-tick-first = 请先按空格键勾选一个文件夹，或者选择不共享。
term-roots-remembered = 今后 { $server } 都可以得知这些。用“askback roots forget”可以收回。
term-roots-not-remembered = 未能保存，下次还会询问您：{ $why }
term-root-given = 由 --root 指定
term-root-config = 来自 askback.toml
term-root-server-config = 来自 askback.toml，仅供 { $server }
term-root-added = 用“askback roots add”添加
term-root-workspace = 您当前所在的项目

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

# 用户自己的编辑器。
term-editor-failed = 无法使用编辑器：{ $why }
term-no-editor = 没有设置编辑器。
term-unusable = 无法读取按键，此处不能提出询问：{ $why }
