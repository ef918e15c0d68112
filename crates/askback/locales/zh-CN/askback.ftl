## 帮助

help-about = 替您回答会反问的 MCP 服务器
help-heading-usage = 用法：
help-version = 显示版本
help-heading-commands = 命令
help-heading-options = 选项
help-value-command = 命令
help-call = 调用工具；服务器中途提出的问题会交给您，或由答案文件回答
help-prompt = 获取提示词
help-read = 读取资源
help-chat = 与您的一个模型对话；经您同意，它可以调用服务器的工具
help-chat-model = 与您的这个模型对话
help-chat-server = 只用这个服务器的工具（已配置的，或一个地址），而不是全部；可多次给出
help-chat-once = 只说这一句，得到结果后结束
help-chat-allow = 不经询问即可调用这个工具：TOOL 或 SERVER/TOOL，* 代表任意字符；可多次给出
help-chat-list = 显示对话记录保存的位置
help-chat-revoke = 收回您对这个服务器的工具的始终允许
help-chat-command = 启动这个服务器，并使用它的工具
usage-chat = askback chat [--model 模型] [--server 服务器]... [--once 文本] [选项] [-- 命令 [参数]...]
    {"      "}askback chat --list | --revoke 服务器
help-models = 列出您的模型；测试它们，并查看服务器会得到哪一个
help-models-test = 让一个模型或所有模型回复一个词
help-models-explain = 说明服务器会得到哪个模型以及原因
help-models-detect = 查找本机提供的模型，并给出添加方法
help-models-stop = 停止所有采样，直到恢复
help-models-resume = 恢复采样
help-models-revoke = 收回服务器的长期许可
help-models-key = 把模型端点的密钥存入钥匙串；密钥由您输入，或从标准输入读取
help-models-forget = 改为删除已保存的密钥
help-models-model = 您的一个模型
help-models-server = 服务器
help-models-hint = 服务器希望的模型；可多次给出，最希望的在前
help-models-priority = 这一点对服务器的重要程度
usage-models = askback models [test | explain | detect | stop | resume | revoke | key] [选项]
help-log = 查看服务器得到过什么
help-log-disclosed = 显示这个服务器得到过的所有文件夹、表单值、同意和回复
usage-log = askback log --disclosed SERVER [选项]
help-servers = 列出已配置的服务器，或登录、退出
help-servers-login = 在浏览器中登录服务器
help-servers-logout = 清除登录信息，并在可能时撤销
help-servers-server = 已配置的服务器，或其地址
usage-servers = askback servers [login | logout 服务器] [选项]
help-list = 列出一个服务器（或全部已配置服务器）的工具、提示词和资源
help-list-server = 已配置的服务器；省略则为全部
help-completions = 输出一个脚本，让您的 shell 能补全命令、服务器、工具和参数
help-completions-shell = bash、zsh、fish、powershell 或 elvish
help-demo = 与一个会反问的服务器一起预订假期
help-demo-server-http = 在本机回环地址的这个端口上监听（0 表示任意端口），并打印地址
help-demo-server = 充当演示用的旅行服务器（标准输入输出）
help-command = 启动这个服务器，而不用已配置的服务器
help-args = 以一个 JSON 对象给出全部参数；单独给出的参数优先
help-answers = 用此文件（TOML）回答提问；可重复；- 表示标准输入
help-allow-unused = 答案未被用到时不算失败
help-json = 输出一个 JSON 文档
help-no-input = 绝不询问我；文件未回答的提问一律取消
help-root = 允许服务器看到此文件夹；可重复
help-protocol = 使用协议的这一修订版，例如 2025-11-25；auto 表示自动判断
help-timeout = 单次请求的最长时间，例如 30s；不计您本人所用的时间（默认 60s）
help-budget = 整个调用的最长时间，不计您本人所用的时间
help-config = 读取此配置，而不是最近的 askback.toml
help-as = 用这个名字称呼服务器
help-strict = 只要服务器违反规则就算失败，即使调用能够完成
help-lang = 使用的语言：en 或 zh-CN
help-verbose = 显示服务器日志（info 及以上）；-vv 显示全部。警告和错误总会显示
help-help = 显示此帮助

usage-askback = askback 命令 ...
usage-call = askback call 服务器 工具 [键=值 | 键:=JSON]... [选项]
    {"     "}askback call 工具 [键=值 | 键:=JSON]... [选项] -- 命令 [参数]...
usage-prompt = askback prompt 服务器 名称 [键=值]... [选项]
    {"     "}askback prompt 名称 [键=值]... [选项] -- 命令 [参数]...
usage-read = askback read 服务器 URI [选项]
    {"     "}askback read URI [选项] -- 命令 [参数]...
usage-list = askback list [服务器] [选项]
    {"     "}askback list [选项] -- 命令 [参数]...
usage-completions = askback completions SHELL
usage-no-shell = 没有说明是哪种 shell
usage-shell = 没有用于 { $value } 的脚本
usage-shell-hint = 可用：{ $known }
usage-unknown-option = 没有选项 { $word }
usage-unknown-command = 没有命令 { $word }
usage-no-value = 选项 { $word } 缺少值
usage-missing = 缺少 { $word }
usage-no-command = 没有说明要做什么{ $word }
usage-twice = { $word } 给出了不止一次
usage-did-you-mean = 是否想用 { $word }？
usage-see-help = --help 会列出可用的命令和选项

## 命令行与文件中的错误

failure-mark = 错误：
hint-mark = 提示：
usage-not-utf8 = 参数 { $word } 不是 UTF-8
usage-lang = 不支持语言 { $value }；可用 en 和 zh-CN
usage-nothing-to-call = 没有说明要调用什么
usage-read-arguments = 资源只有 URI，没有参数
usage-two-servers = 同时给出了已配置的服务器和命令
usage-protocol = 协议没有 { $value } 这个修订版
usage-protocol-hint = 支持的修订版：{ $known }
usage-duration = { $option }：{ $value } 不是时长
usage-duration-hint = 时长写作 500ms、3s、2m 或 1h
usage-root = --root { $value }：{ $detail }
usage-root-no-folder = 没有这个文件夹
arguments-no-key = { $word } 不是参数{ $detail }
arguments-not-json = { $word } 不是 JSON：{ $detail }
arguments-not-object = --args { $word } 不是 JSON 对象{ $detail }
arguments-not-text = { $word }：提示词的参数只能是文本{ $detail }
arguments-hint = 文本写作 键=值，其他类型写作 键:=JSON
answers-stdin = 标准输入
answers-unreadable = 无法读取答案文件 { $file }：{ $detail }
answers-invalid = 答案文件 { $file } 有误
config-unreadable = 无法读取 { $file }：{ $detail }
config-syntax = { $file } 有误
config-value = { $file }：{ $value } 不是 { $key } 的有效值
config-section = { $file }：{ $key } 有误{ $value }
config-missing = { $file }：缺少 { $key }{ $value }
config-key-in-clear = { $file }：{ $key } 将以明文存放在文件中；请用 key_env 指明存放它的环境变量，或用 askback models key 保存；如果您坚持，请加上 key_in_clear = true{ $value }
config-no-model = { $key } 所指的模型 { $value } 没有配置
config-no-command = { $file }：服务器 { $key } 既没有 command 也没有 url{ $value }
config-of-an-address = { $file }：{ $key } 属于 url，而此服务器配置的是 command{ $value }
config-of-a-command = { $file }：{ $key } 属于 command，而此服务器配置的是 url{ $value }
config-no-variable = { $file }：{ $key } 需要环境变量 { $value }，但它没有设置
config-no-client = { $file }：缺少 { $key }；没有人登录时，需要一个事先注册的客户端{ $value }
config-no-sandboxes = { $file }：{ $key } 只能在 Linux 上实施，而这里是 { $value }
config-no-sandboxes-hint = 配置所承诺的保护无法提供，因此不会启动此服务器；设为 "off" 即可照常启动
config-read-only-hint = "read-only" 模式不写入任何内容；"roots" 模式才可以有 write
config-not-yet = { $file }：此版本不支持 { $key }{ $value }
config-not-yet-hint = 与其忽略不如拒绝，以免看似受保护或已配置而实际没有；去掉它即可继续
target-unknown = 没有名为 { $name } 的服务器
target-configured = 已配置：{ $names }
target-none-configured = 请在 askback.toml 中写入带 command 或 url 的 [servers.名称]，或直接给出地址，或在 -- 之后给出命令
target-url = { $name } 不是服务器地址：{ $detail }
target-url-hint = 地址形如 https://mcp.example.com/mcp
list-nothing = 没有可列出的服务器

## 连接

connecting = 正在等待 { $server } 启动（{ $command }）…
connecting-to-address = 正在等待 { $server } 回应（{ $command }）…
reconnecting = { $server } 在两步之间退出了；正在重新启动，不会重复提问
connect-not-found = 无法启动 { $server }：没有程序 { $program }（{ $detail }）
connect-not-found-hint = 请检查拼写，或给出完整路径
connect-not-started = 无法启动 { $server }：{ $program }：{ $detail }
connect-timed-out = { $server } 在 { $seconds } 秒内没有回应
connect-silent = { $server } 在运行，但没有回应
connect-silent-hint = 这个程序是否通过标准输入输出使用 MCP？
connect-ended = { $server } 在回应之前就退出了（{ $exit }）
connect-no-version = { $server } 与这里没有共同的协议修订版；它提供 { $theirs }
connect-not-that-version = { $server } 不支持 { $wanted }；它提供 { $theirs }
connect-not-that-version-hint = 去掉 --protocol 和 protocol 设置，即可自动判断
connect-refused = { $server } 拒绝连接：{ $message }（{ $code }）
connect-invalid = { $server } 对第一条消息的回应有误：{ $what }
connect-command = 启动命令：{ $command }
connect-address = 地址：{ $command }
connect-unreachable = 无法连接 { $server }：{ $detail }
connect-unreachable-hint = 地址是否正确？服务器是否在运行？
connect-http = { $server } 的回应不像 MCP 服务器：HTTP { $status } { $body }
connect-http-hint = 这是 MCP 端点的地址吗？它通常以 /mcp 或 /sse 结尾
connect-redirected = { $server } 要求转到别处；未经您的同意，不会向那里发送任何内容：HTTP { $status } { $body }
connect-not-ready = { $server } 没有收到我们已就绪的通知（notifications/initialized）：{ $detail }
connect-no-login = { $server } 拒绝访问，也没有提供登录方式：{ $detail }
connect-no-login-hint = 如果它需要令牌，请写入 askback.toml 的 servers.{ $server }.headers；也可能只是暂时不可用，请再试一次
connect-not-logged-in = { $server } 要求登录
connect-not-logged-in-hint = 请在终端中运行 askback servers login { $server }
connect-login-failed = 登录 { $server } 失败：{ $detail }
connect-login-failed-hint = 可用 askback servers login { $server } 再试一次
connect-still-refused = 登录之后 { $server } 仍拒绝访问：{ $detail }
connect-still-refused-hint = 账户可能缺少所需的权限；askback servers logout { $server } 可清除已保存的登录信息

## 调用如何结束

failed-tool-error = 工具报告了错误
failed-server-error = { $server } 返回错误：{ $message }（{ $code }）
failed-capability = { $server } 需要提问，但本次运行无法回答：{ $message }（{ $code }）
failed-protocol = { $server } 违反了协议：{ $message }
failed-unmeetable = { $server } 提出了无法回答的问题（{ $key }）：{ $problem }
failed-undeclared-hint = 服务器只能提出它已被告知可以回答的问题；若要能够回答，请在终端中运行，或用 --answers 给出答案文件
failed-refused = 您已拒绝，但协议没有可以告知 { $server } 的回答（{ $kind }）；调用到此结束
failed-nobody = 没有人、也没有任何设置能回答 { $server }（{ $kind }）
failed-model = 模型出错，{ $server } 得不到回复：{ $message }
failed-unanswered = 有提问没有人、也没有任何设置能够回答
failed-unanswered-hint = 请在终端中运行，或用 --answers 给出答案文件
failed-unused = 有答案从未被用到
failed-unused-hint = 去掉它们，或使用 --allow-unused
failed-strict = 服务器违反了规则（--strict）
failed-rounds = { $server } 问了 { $rounds } 次仍未结束
failed-rounds-hint = 可在 askback.toml 中用 limits.rounds 提高上限
failed-timeout = { $server } 在 { $seconds } 秒内没有回应；它可能仍已执行操作
failed-timeout-hint = 可用 --timeout 提高上限
failed-budget = 整个调用超过了 { $seconds } 秒；{ $server } 可能仍已执行操作
failed-budget-hint = 可用 --budget 提高上限
failed-stopped = 您停止了调用；已告知服务器
task-working = 进行中：
task-asks = 服务器正在询问：
failed-task-cancelled = { $server } 取消了由该调用转成的任务
failed-task-forgotten = { $server } 已不认识由该调用转成的任务：{ $message }
failed-task-forgotten-hint = 任务可能已过期，或服务器已重新启动；它可能仍已执行操作，不会自动重新运行任何东西
task-may-go-on = 已请求服务器结束由该调用转成的任务，但服务器可以不照办：任务可能仍在运行
failed-interrupted = 已中断
failed-disconnected = { $server } 在调用期间断开：{ $detail }
failed-undelivered = { $server } 没有给出回应：{ $detail }
failed-undelivered-hint = 服务器没有执行操作；可以重新调用
failed-disconnected-hint = 它可能仍已执行操作；不会自动重新运行任何东西

fault-no-entry = 此提问（{ $kind }）没有答案：{ $message }
fault-invalid = { $place } 的内容不符合表单：
fault-not-openable = { $place } 接受了一个绝不会被打开的网址：
fault-model-failed = 模型没有给出回复：{ $detail }
fault-no-model = { $place } 需要模型，但没有配置模型

violation = { $server } 违反了规则（{ $rule }）：{ $message }
server-log = [{ $server } { $level }] { $text }
server-log-of = [{ $server } { $level } { $logger }] { $text }
server-log-more = [{ $server }] 还有更多日志；不再显示
progress-bar = { $bar } { $percent } % { $count } · { $elapsed }
progress-spinner = { $mark } { $count } · { $elapsed }
elapsed-seconds = { $seconds } 秒
elapsed-minutes = { $minutes } 分 { $seconds } 秒
progress = … { $count } { $message }
page-completed = { $server } 表示网页上的操作已完成。
page-not-opened = 无法打开 { $url }：{ $detail }

## 结果

result-empty = （结果为空）
result-media = [{ $kind }：{ $type }，{ $size }；用 --json 查看]
era-modern = 新时代协议
era-legacy = 旧时代协议
list-server = { $server } · { $version }，{ $era }
list-tools = 工具
list-prompts = 提示词
list-resources = 资源
list-resourceTemplates = 资源模板

## 对话记录与演示

kind-form = 填写表单
kind-url = 打开网页
kind-sampling = 使用您的模型
kind-roots = 查看您的文件夹
kind-unknown = 无法理解的内容
decided-by-person = 由您决定
decided-by-answers = 来自答案文件
decided-by-policy = 按您的规则
decided-by-model = 由您的模型
decided-by-config = 按配置
decided-by-nobody = 无人能够回答
answer-accept = 已接受
answer-decline = 已拒绝
answer-cancel = 已取消
answer-refuse = 已驳回
transcript-asks = { $server } 请求{ $kind }（第 { $round } 轮）
transcript-answers = { $answer }，{ $by }
transcript-system = 系统提示：{ $text }
transcript-roots = 我可以查看哪些文件夹？
demo-answers = 演示自带的答案
demo-intro =
    Askback 演示：您将预订一次巴塞罗那假期。调用进行到一半时，旅行服务器会反问两次；
    您的回答会先完整地给您看过，然后才发送。
demo-intro-scripted =
    Askback 演示：预订一次巴塞罗那假期。调用进行到一半时，旅行服务器会反问两次。
    这里没有人在终端前，所以由答案文件代您回答；在终端中运行时，问题会交给您。
demo-result = { $server } 回复
demo-outro =
    以上使用的是协议修订版 { $version }。换另一个时代试试：
      askback demo --protocol { $other }
    或者换成您自己的服务器：
      askback call 工具 键=值 -- 命令 参数…

## 登录

login-wanted = { $server } 要求您登录：{ $issuer }
login-address = 网页：{ $address }
login-consent = 按回车键在浏览器中打开此网页；输入其他内容或按 Ctrl-D 则不打开。
login-not-now = { $server } 在调用期间要求重新登录；请运行 askback servers login { $server }，然后重新调用
login-waiting = 正在等待您从网页返回…
login-done = 已登录 { $server }（{ $issuer }）。
logout-done = 已清除 { $server } 的全部登录信息。
logout-revoked = 它的令牌已被撤销。
logout-not-revoked = 无法通知服务器；它的令牌可能在过期之前仍然有效。
logout-failed = { $server }：可能仍有信息未清除：{ $detail }
login-no-address = { $server } 是在本机启动的程序，不需要登录
login-nobody = 登录需要有人在终端前
servers-nothing = 没有已配置的服务器

# 出借的模型，以及它们的问题。
lending-unknown = 没有配置模型 { $name }
lending-none = 没有配置可用的模型
lending-unusable = { $name }：{ $why }
lending-separator = ；
lending-not-counted = 无法统计模型的用量，因而无法遵守您的限额：{ $detail }
lending-model = { $name }：{ $why }
model-settings = 它的设置无法使用：{ $said }
model-no-key = 它需要密钥；请用 key_env 指明存放密钥的环境变量，或用 askback models key 保存密钥
model-key-unreadable = 无法读取保存的密钥：{ $detail }
model-no-key-in = 它需要密钥，但环境变量 { $variable } 没有设置
model-unauthorized = 服务商不接受密钥：{ $said }
model-unauthorized-in = 服务商不接受 { $variable } 中的密钥：{ $said }
model-forbidden = 服务商不允许：{ $said }
model-unknown = 服务商没有模型 { $model }：{ $said }
model-too-many =
    { $wait ->
        [0] 服务商暂时不再接受请求：{ $said }
       *[other] 服务商在 { $wait } 秒内不再接受请求：{ $said }
    }
model-too-long = 请求对它来说太长：{ $said }
model-filtered = 服务商拒绝此内容：{ $said }
model-rejected = 服务商拒绝了请求（{ $status }）：{ $said }
model-unavailable = 服务商出现故障：{ $said }
model-refused = { $origin } 没有程序在监听；本地服务器在运行吗？
model-unreachable = 无法连接 { $origin }：{ $detail }
model-redirected = 它的地址重定向到 { $said }；密钥只属于所配置的地址，因此不跟随
model-cut-short = 回答中断：{ $said }
model-silent = { $seconds } 秒内没有任何内容
model-unreadable = 无法读取回答：{ $said }
model-too-large = 回答超过 { $limit } 字节
model-unsupported = 它不支持{ $said }
model-no-tool-called = 要求它调用工具，但它没有调用
model-tool-not-allowed = 它调用了工具 { $said }，但不允许调用任何工具
unsupported-images = 图片
unsupported-audio = 音频
unsupported-tools = 工具
unsupported-media-type = 类型为 { $name } 的媒体
unsupported-media-of-assistant = 助手消息中的图片或音频
unsupported-media-in-tool-result = 工具结果中的图片或音频
unsupported-misplaced-tool = 用户消息中的工具调用

models-none = 没有配置模型。请求模型的服务器由您亲自回复。可在 askback.toml 中添加模型，例如：

    { "[" }models.small]
    provider = "openai"
    base_url = "http://127.0.0.1:8080/v1"
    model = "smollm2"

    查看本机是否已有模型服务：askback models detect
models-column-name = 名称
models-column-model = 模型
models-column-cost = 费用
models-column-speed = 速度
models-column-intelligence = 智能
models-column-takes = 接受
models-column-state = 状态
models-takes-text = 文本
models-no-key = 需要密钥（key_env，或 askback models key）
models-no-variable = { $variable } 没有设置
models-default = 默认
models-ready = 可用
models-key-kept = 可用，使用您保存的密钥
models-key-wanted = { $place } 的密钥（不会显示，按 Enter 结束）：
models-key-is-kept = 已保存。它只会发往 { $place }。可用以下命令测试：askback models test { $name }
models-key-other-first = 配置或其变量中的密钥优先于保存的密钥。
models-key-forgotten = 已删除为 { $place } 保存的密钥。
models-key-not-kept = 无法保存或删除密钥：{ $detail }
models-key-none = 没有给出密钥：密钥是不含空格的一行
models-stopped = 所有采样已停止。恢复请运行：askback models resume
models-resumed = 采样已恢复。
models-permitted = 可在您的限额内随时使用模型而不询问您：
models-permitted-server = { $server }（{ $source }）；剩余：{ $left }
models-test-well = { $name } 在 { $seconds } 秒内回复（{ $model }）：{ $said }
models-test-badly = 并非所有模型都能回复
models-unusable = 不用 { $name }：{ $why }
models-left = 剩余：{ $left }
models-matched = ，符合提示“{ $hint }”
models-alike = ，与提示“{ $hint }”同类
models-nothing-to-revoke = { $server } 没有长期许可
models-revoked = 从现在起 { $server } 会再次询问您。
models-not-written = 无法写入：{ $detail }
log-disclosed = { $server } 得到过 { $count } 项内容，最新的在最后。
log-nothing = 没有 { $server } 得到过任何内容的记录。
log-source = 服务器：{ $source }
log-entry = { $call }，第 { $round } 轮，决定者：{ $by }
log-entry-alone = 第 { $round } 轮，决定者：{ $by }
log-empty-form = 一份没有填写任何值的表单
log-consent = 同意打开 { $url }
log-by-hand = 未用模型，由人撰写
log-model = 由 { $model } 撰写
log-no-folders = 一份空的文件夹列表
log-reason = 拒绝的理由：{ $reason }
log-unreadable = 无法读取 { $file }：{ $detail }
log-damaged = { $file }：有 { $count } 行已损坏，未予显示
log-not-written = 提供给 { $server } 的内容未能写入日志：{ $detail }
models-detect-nothing = 本机的常用端口上没有模型服务：{ $ports }。
models-detect-found = { $kind }，位于 { $address }：
models-detect-known = { $model } 已配置为 { $name }。
## 变化

help-list-follow = 继续运行，有变化时随时输出，直到 Ctrl-C
help-read-follow = 继续运行，服务器说资源有更新时重新输出，直到 Ctrl-C
changed = { $server } 说有变化：{ $what }
list-of-tools = 它的工具
list-of-prompts = 它的提示词
list-of-resources = 它的资源
one-of-tools = 工具
one-of-prompts = 提示词
one-of-resources = 资源
one-of-resourceTemplates = 资源模板
listening-left-out = { $server } 不会通知以下内容的变化：{ $detail }
listening-refused = { $server } 不通知变化：{ $detail }
listening-interrupted = { $server } 暂时无法通知变化（{ $detail }）；正在重试
listening-over = { $server } 不再通知变化：{ $detail }
follow-nothing = { $server } 不会通知它所提供内容的变化
follow-no-updates = { $server } 不会通知资源的更新
follow-over = 没有可以继续关注的内容了

## 文件夹

help-roots = 列出服务器可以得知的文件夹，以及哪个服务器可以得知哪些
help-roots-add = 让服务器从现在起可以得知这个文件夹
help-roots-remove = 收回之前添加的文件夹
help-roots-forget = 以后向某个服务器告知任何文件夹之前，重新询问
help-roots-path = 文件夹
help-roots-name = 文件夹的名称
help-roots-only = 仅供这个服务器
help-roots-exclude = 从不告知匹配的文件夹；可重复
help-roots-server = 服务器
usage-roots = askback roots [add | remove | forget] [选项]
usage-roots-add = askback roots add DIR [--name NAME] [--server SERVER] [--exclude GLOB]…
usage-roots-remove = askback roots remove DIR [--server SERVER]
usage-roots-forget = askback roots forget SERVER
roots-none = 没有可以让服务器得知的文件夹。添加方法：askback roots add DIR
roots-column-folder = 文件夹
roots-column-name = 名称
roots-column-from = 来源
roots-column-server = 适用于
roots-column-state = 状态
roots-from-command-line = --root
roots-from-config = askback.toml
roots-from-server-config = askback.toml
roots-from-added = 手动添加
roots-from-workspace = 当前项目
roots-for-all = 所有服务器
roots-there = 存在
roots-workspace-asked = 未经您同意，不会向任何服务器告知当前项目。
roots-excluded = 从不告知：{ $globs }。能读取上级文件夹的服务器仍可能读到这些内容。
roots-exclusion-limits = 被排除的文件夹不会告知服务器。能读取上级文件夹的服务器仍可能读到这些内容。
roots-consents = 无需再询问您即可告知：
roots-consent-shared = 可以告知：{ $folders }
roots-consent-withheld = 不告知：{ $folders }
roots-file = 保存在 { $path }
roots-added = 所有服务器现在都可以得知 { $path }。在终端中，首次向每个服务器告知之前会询问您。
roots-added-for = { $server } 现在可以得知 { $path }。在终端中，首次告知之前会询问您。
roots-changed = 已更改 { $path }。
roots-removed = 已收回 { $path }；不再向任何服务器告知。
roots-not-added = { $path } 不是用“askback roots add”添加的
roots-configured = 它写在 askback.toml 中；请在那里删除
roots-forgotten = 以后向 { $server } 告知任何文件夹之前，都会重新询问您。
roots-nothing-to-forget = 没有保存任何关于 { $server } 的文件夹许可
roots-no-root = { $path }：{ $detail }
roots-no-glob = { $glob } 不是有效的 glob：{ $detail }
roots-not-kept = 无法读取或保存：{ $detail }
root-left-out = 不向服务器告知 { $path }：{ $why }
root-vanished = 不存在
root-not-a-folder = 不是文件夹
root-unreadable = 无法读取（{ $detail }）
root-excluded = 已排除
root-not-absolute = 不是绝对路径
root-has-dots = 其中不能有“.”和“..”
root-no-uri = 没有可以表示它并能还原的 file:// URI（{ $why }）
root-obstacle-not-utf8 = 不是 UTF-8
root-obstacle-nul = 含有 NUL 字符
root-obstacle-control-character = 含有控制字符
root-obstacle-empty-host = 主机的位置上有空的部分
root-obstacle-forbidden-character = 含有名称不能使用的字符
root-obstacle-bad-percent = % 之后没有两位十六进制数字
root-obstacle-encoded-slash = 含有编码的斜线
root-obstacle-device = 指向设备
root-obstacle-computer-name = 其计算机名无法写进 URI
root-obstacle-localhost = URI 中的 localhost 不表示任何计算机；请写带盘符的路径
root-obstacle-no-share = 只有计算机名而没有共享名
root-not-file = 只有 file:// URI 可以告知服务器
root-has-part = 根目录不能带有{ $part ->
    [fragment] 片段（#）
    [query] 查询（?）
   *[host] 主机名；另一台计算机上的文件夹请写成路径
 }

## 沙盒

sandbox-line = 沙盒（{ $mode }）：{ $parts }
sandbox-comma = 、
sandbox-semicolon = ；
sandbox-writes = 可读写 { $paths }
sandbox-writes-nothing = 不能写入您的任何文件
sandbox-reads = 可读取 { $paths }
sandbox-no-network = 不能使用网络
sandbox-ports = 网络：仅限 TCP 端口 { $ports }
sandbox-hint = 如果它需要的超出了沙盒的许可，请在 askback.toml 的 servers.{ $server }.sandbox 下用 read、write、network 或 unix_sockets 放行
sandbox-not-offered = 没有启动 { $server }，因为这里无法实施它的沙盒：{ $detail }
sandbox-not-offered-hint = 需要 Linux 6.2 或更新版本，并启用 Landlock；servers.{ $server }.sandbox = "off" 会在没有保护的情况下启动它
sandbox-too-old = 没有启动 { $server }，因为这里无法实施它的沙盒：{ $what } 需要 Linux { $since } 或更新版本
sandbox-too-old-hint = servers.{ $server }.sandbox = "off" 会在没有保护的情况下启动它
sandbox-path = 没有启动 { $server }：它的沙盒放行了 { $path }，但无法打开：{ $detail }
sandbox-path-hint = 请创建它，或把它从 read 或 write 中去掉
sandbox-too-many = 没有启动 { $server }：无法对它隐藏 { $path } 中排除的内容，因为要检查的文件超过 { $most } 个
sandbox-too-many-hint = 请用更小的文件夹作为它的根目录，或把排除的内容移到别处
sandbox-glob = 没有启动 { $server }：它的沙盒无法对它隐藏 { $glob }
sandbox-container = 没有启动 { $server }：{ $program } 让另一个进程做事，而我们的沙盒管不到那个进程
sandbox-container-hint = 请为此服务器设置 sandbox = "off"，并由容器引擎限制它能接触的内容
sandbox-refused = 没有启动 { $server }，因为内核没有接受它的沙盒规则：{ $detail }

# 与模型的对话。
chat-nobody = 没有人在场与模型对话
chat-nobody-hint = 用 --once 文本 说一句话，或在终端中运行
chat-nothing-said = --once 里没有内容
chat-no-model-hint = askback models 会显示有哪些模型，以及如何添加
chat-connecting = 正在连接 { $servers }……
chat-without = 对话将在缺少一个服务器的情况下继续：{ $why }
chat-begins = 您正在与 { $model } 对话。它可以调用 { $count } 个工具，每次调用前都会先问您。
chat-begins-with-discovery = 您正在与 { $model } 对话。共有 { $count } 个工具，无法一次全部告诉它，它会自行查找所需的工具。每次调用前都会先问您。
chat-begins-without-tools = 您正在与 { $model } 对话。没有可供它调用的工具。
chat-begins-model-takes-none = 您正在与 { $model } 对话。它不支持工具，因此不会调用现有的 { $count } 个工具（如果它支持，请在它的名下设置 tools = true）。
chat-kept = 对话保存在 { $path }
chat-not-kept = 对话可以继续，但有内容没能记录下来：{ $detail }
chat-none-kept = 还没有保存任何对话。
chat-consents-unreadable = 无法读取您设为始终允许的内容：{ $detail }
chat-nothing-to-revoke = { $server } 的工具没有任何始终允许
chat-revoked = 今后调用 { $server } 的 { $count } 个工具前，会重新询问您。
chat-model-failed = 模型没有回复：{ $why }
chat-model-failed-hint = askback models test 会显示它能否应答
chat-capped = 模型在一轮里已连续 { $rounds } 次调用工具，达到上限
chat-capped-hint = 在 [chat] 下设置 rounds 可以放宽
chat-unallowed = 模型想调用一些工具，但没有人在场允许
chat-unallowed-hint = 用 --allow { $tool } 或 [servers.名称.chat] 下的 allow 允许它们，或在终端中运行
