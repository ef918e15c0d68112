## Help

help-about = Answers MCP servers that ask back
help-heading-usage = Usage:{" "}
help-version = Print the version
help-heading-commands = Commands
help-heading-options = Options
help-value-command = COMMAND
help-call = Call a tool; what the server asks on the way is put to you, or answered from files
help-prompt = Get a prompt
help-read = Read a resource
help-chat = Talk with one of your models; it may call the tools of your servers, with your consent
help-chat-model = Talk with this one of your models
help-chat-server = With the tools of this server (a configured one, or an address) instead of all; may be repeated
help-chat-once = Say this one thing, and end with what comes of it
help-chat-allow = Let this tool be called without asking: TOOL or SERVER/TOOL, * stands for anything; may be repeated
help-chat-list = Print where conversations are kept
help-chat-revoke = Take back what you always allowed for the tools of this server
help-chat-command = With the tools of this server, which is started
usage-chat = askback chat [--model MODEL] [--server SERVER]... [--once TEXT] [OPTIONS] [-- COMMAND [ARGS]...]
    {"       "}askback chat --list | --revoke SERVER
help-models = List your models; test them, and see which one a server would get
help-models-test = Ask a model, or all of them, for one word
help-models-explain = Say which model a server would get, and why
help-models-detect = Look for models that this machine serves, and print how to add them
help-models-stop = Stop all sampling, until it is resumed
help-models-resume = Let sampling go on
help-models-revoke = Take back what a server may always have
help-models-key = Keep the key for a model’s endpoint in the keyring; it is asked for, or read from standard input
help-models-forget = forget the key instead
help-models-model = one of your models
help-models-server = a server
help-models-hint = a model that the server would like; may be given again, best first
help-models-priority = how much this matters to the server
usage-models = askback models [test | explain | detect | stop | resume | revoke | key] [OPTIONS]
help-log = Look up what a server was given
help-log-disclosed = show every folder, form value, consent and reply that this server was given
usage-log = askback log --disclosed SERVER [OPTIONS]
help-servers = List the configured servers; log in to one, or out
help-servers-login = Log in to a server, in the browser
help-servers-logout = Forget a login, and revoke it where that is possible
help-servers-server = a configured server, or its address
usage-servers = askback servers [login | logout SERVER] [OPTIONS]
help-list = List the tools, prompts and resources of a server, or of all configured ones
help-list-server = A configured server; all of them if left out
help-completions = Print a script that lets your shell complete commands, servers, tools and arguments
help-completions-shell = bash, zsh, fish, powershell or elvish
help-demo = Book a vacation with a server that asks back
help-demo-server-http = listen on this port of loopback (0 for any) and print the address
help-demo-server = Be the travel server of the demo, on standard input and output
help-command = Start this server instead of a configured one
help-args = All arguments as one JSON object; single ones override it
help-answers = Answer asks from this file (TOML); may be repeated; - is standard input
help-allow-unused = Do not fail when an answer was never used
help-json = Print one JSON document
help-no-input = Never ask me; what no file answers is cancelled
help-root = Let the server see this folder; may be repeated
help-protocol = Speak this revision of the protocol, e.g. 2025-11-25; auto finds out
help-timeout = Longest time for one request, e.g. 30s; your own time is not counted (default 60s)
help-budget = Longest time for the whole call, your own time not counted
help-config = Read this configuration instead of the nearest askback.toml
help-as = Call the server by this name
help-strict = Fail when the server breaks a rule, even if the call survives
help-lang = Speak this language: en or zh-CN
help-verbose = Show what the server logs, from info on; -vv shows all of it. Warnings and errors are always shown
help-help = Print this help

usage-askback = askback COMMAND ...
usage-call = askback call SERVER TOOL [KEY=VALUE | KEY:=JSON]... [OPTIONS]
    {"       "}askback call TOOL [KEY=VALUE | KEY:=JSON]... [OPTIONS] -- COMMAND [ARGS]...
usage-prompt = askback prompt SERVER NAME [KEY=VALUE]... [OPTIONS]
    {"       "}askback prompt NAME [KEY=VALUE]... [OPTIONS] -- COMMAND [ARGS]...
usage-read = askback read SERVER URI [OPTIONS]
    {"       "}askback read URI [OPTIONS] -- COMMAND [ARGS]...
usage-list = askback list [SERVER] [OPTIONS]
    {"       "}askback list [OPTIONS] -- COMMAND [ARGS]...
usage-completions = askback completions SHELL
usage-no-shell = nothing says for which shell
usage-shell = there is no script for { $value }
usage-shell-hint = there are { $known }
usage-unknown-option = there is no option { $word }
usage-unknown-command = there is no command { $word }
usage-no-value = a value is missing for { $word }
usage-missing = this is missing: { $word }
usage-no-command = nothing says what to do{ $word }
usage-twice = { $word } is given more than once
usage-did-you-mean = did you mean { $word }?
usage-see-help = --help shows what there is

## Mistakes on the command line and in files

failure-mark = error:
hint-mark = hint:
usage-not-utf8 = the argument { $word } is not UTF-8
usage-lang = the language { $value } is not spoken here; there are en and zh-CN
usage-nothing-to-call = nothing says what to call
usage-read-arguments = a resource has no arguments, only a URI
usage-two-servers = both a configured server and a command are given
usage-protocol = there is no revision { $value } of the protocol
usage-protocol-hint = these are spoken here: { $known }
usage-duration = { $option }: { $value } is not a duration
usage-duration-hint = write durations as 500ms, 3s, 2m or 1h
usage-root = --root { $value }: { $detail }
usage-root-no-folder = there is no such folder
arguments-no-key = { $word } is not an argument{ $detail }
arguments-not-json = { $word } is not JSON: { $detail }
arguments-not-object = --args { $word } is not a JSON object{ $detail }
arguments-not-text = { $word }: the arguments of a prompt are text{ $detail }
arguments-hint = write KEY=VALUE for text, KEY:=JSON for anything else
answers-stdin = standard input
answers-unreadable = the answer file { $file } cannot be read: { $detail }
answers-invalid = the answer file { $file } makes no sense
config-unreadable = { $file } cannot be read: { $detail }
config-syntax = { $file } makes no sense
config-value = { $file }: { $value } is no value for { $key }
config-section = { $file }: { $key } makes no sense{ $value }
config-missing = { $file }: { $key } is missing{ $value }
config-key-in-clear = { $file }: { $key } would lie in the file in clear; name the variable that has it with key_env, store it with askback models key, or add key_in_clear = true if you insist{ $value }
config-no-model = { $key } names the model { $value }, which is not configured
config-no-command = { $file }: the server { $key } has neither a command nor a url{ $value }
config-of-an-address = { $file }: { $key } belongs to a url, and this server has a command{ $value }
config-of-a-command = { $file }: { $key } belongs to a command, and this server has a url{ $value }
config-no-variable = { $file }: { $key } needs the variable { $value }, which is not set
config-no-client = { $file }: { $key } is missing; without a person a client is needed that was registered by hand{ $value }
config-no-sandboxes = { $file }: { $key } can be enforced on Linux only, and this is { $value }
config-no-sandboxes-hint = the server is not started without the protection that its configuration promises; set it to "off" to start it all the same
config-read-only-hint = in the mode "read-only" nothing is written; the mode "roots" can have write
config-not-yet = { $file }: { $key } is not supported by this version{ $value }
config-not-yet-hint = it is refused rather than ignored, so that nothing looks protected or configured that is not; take it out to go on
target-unknown = no server is called { $name }
target-configured = configured are: { $names }
target-none-configured = write [servers.NAME] with a command or a url into askback.toml, give an address, or a command after --
target-url = { $name } is no address of a server: { $detail }
target-url-hint = an address looks like https://mcp.example.com/mcp
list-nothing = there is no server to list

## Connecting

connecting = Waiting for { $server } to start ({ $command })…
connecting-to-address = Waiting for { $server } to answer ({ $command })…
reconnecting = { $server } has ended between two steps; it is started again, and nothing is asked twice
connect-not-found = { $server } cannot be started: there is no program { $program } ({ $detail })
connect-not-found-hint = check the spelling, or give the full path
connect-not-started = { $server } cannot be started: { $program }: { $detail }
connect-timed-out = { $server } did not answer within { $seconds } seconds
connect-silent = { $server } runs, but does not answer
connect-silent-hint = does this program speak MCP on its standard input and output?
connect-ended = { $server } ended before it had answered ({ $exit })
connect-no-version = { $server } speaks no revision of the protocol that is spoken here; it offers { $theirs }
connect-not-that-version = { $server } does not speak { $wanted }; it offers { $theirs }
connect-not-that-version-hint = leave out --protocol and the protocol setting to let it be found out
connect-refused = { $server } refused the connection: { $message } ({ $code })
connect-invalid = { $server } answered the first message wrongly: { $what }
connect-command = started with: { $command }
connect-address = address: { $command }
connect-unreachable = { $server } cannot be reached: { $detail }
connect-unreachable-hint = is the address right, and the server running?
connect-http = { $server } does not answer as an MCP server: HTTP { $status } { $body }
connect-http-hint = is this the address of the MCP endpoint? It often ends in /mcp or /sse
connect-redirected = { $server } sends us somewhere else, and nothing is sent there without your word: HTTP { $status } { $body }
connect-not-ready = { $server } did not hear that we are ready (notifications/initialized): { $detail }
connect-no-login = { $server } does not let us in, and offers no way to log in: { $detail }
connect-no-login-hint = if it wants a token, give it in askback.toml under servers.{ $server }.headers; it may also be down for a moment: try again
connect-not-logged-in = { $server } wants you to log in
connect-not-logged-in-hint = run askback servers login { $server } in a terminal
connect-login-failed = logging in to { $server } failed: { $detail }
connect-login-failed-hint = try again with askback servers login { $server }
connect-still-refused = { $server } still does not let us in after logging in: { $detail }
connect-still-refused-hint = the account may lack a right that is needed; askback servers logout { $server } forgets what is known

## How a call ended

failed-tool-error = the tool reported an error
failed-server-error = { $server } answered with an error: { $message } ({ $code })
failed-capability = { $server } needs to ask something that cannot be answered in this run: { $message } ({ $code })
failed-protocol = { $server } broke the protocol: { $message }
failed-unmeetable = { $server } asked something that cannot be answered ({ $key }): { $problem }
failed-undeclared-hint = a server may ask only for what it was told that can be answered; to be able to answer, run it in a terminal or give --answers
failed-refused = you declined, and the protocol has no answer that tells { $server } so ({ $kind }); the call ends here
failed-nobody = nobody and nothing could answer { $server } ({ $kind })
failed-model = the model failed, so { $server } gets no reply: { $message }
failed-unanswered = something was asked that nobody and nothing could answer
failed-unanswered-hint = run it in a terminal, or give an answer file with --answers
failed-unused = answers were never used
failed-unused-hint = take them out, or pass --allow-unused
failed-strict = the server broke rules (--strict)
failed-rounds = { $server } asked { $rounds ->
    [one] once
   *[other] { $rounds } times
} and still was not done
failed-rounds-hint = limits.rounds in askback.toml raises the limit
failed-timeout = { $server } did not answer within { $seconds } s; it may still have acted
failed-timeout-hint = --timeout raises the limit
failed-budget = the call took longer than { $seconds } s in all; { $server } may still have acted
failed-budget-hint = --budget raises the limit
failed-stopped = you stopped the call; the server was told
task-working = working:
task-asks = the server asks:
failed-task-cancelled = { $server } cancelled the task that the call had become
failed-task-forgotten = { $server } no longer knows the task that the call had become: { $message }
failed-task-forgotten-hint = its time may have run out, or the server was started anew; it may still have acted, and nothing is run again by itself
task-may-go-on = the server was told to end the task that the call had become, but need not: it may still be running
failed-interrupted = interrupted
failed-disconnected = { $server } went away during the call: { $detail }
failed-undelivered = { $server } gave no answer: { $detail }
failed-undelivered-hint = the server has not acted; the call can be made again
failed-disconnected-hint = it may still have acted; nothing is run again by itself

fault-no-entry = no answer for this { $kind }: { $message }
fault-invalid = the content of { $place } does not satisfy the form:
fault-not-openable = { $place } accepts an address that is never opened:
fault-model-failed = the model gave no reply: { $detail }
fault-no-model = { $place } wants a model, and none is configured

violation = { $server } broke a rule ({ $rule }): { $message }
server-log = [{ $server } { $level }] { $text }
server-log-of = [{ $server } { $level } { $logger }] { $text }
server-log-more = [{ $server }] and more; it is not shown any further
progress-bar = { $bar } { $percent } % { $count } · { $elapsed }
progress-spinner = { $mark } { $count } · { $elapsed }
elapsed-seconds = { $seconds } s
elapsed-minutes = { $minutes } min { $seconds } s
progress = … { $count } { $message }
page-completed = { $server } says that the page is done with.
page-not-opened = { $url } could not be opened: { $detail }

## Results

result-empty = (the result is empty)
result-media = [{ $kind }: { $type }, { $size }; --json shows it]
era-modern = modern era
era-legacy = legacy era
list-server = { $server } · { $version }, { $era }
list-tools = Tools
list-prompts = Prompts
list-resources = Resources
list-resourceTemplates = Resource templates

## Transcript and demo

kind-form = a form
kind-url = a web page
kind-sampling = your model
kind-roots = your folders
kind-unknown = something that cannot be read
decided-by-person = by you
decided-by-answers = from the answer file
decided-by-policy = by a rule of yours
decided-by-model = by your model
decided-by-config = as configured
decided-by-nobody = nobody could answer
answer-accept = accepted
answer-decline = declined
answer-cancel = cancelled
answer-refuse = refused
transcript-asks = { $server } asks for { $kind } (round { $round })
transcript-answers = { $answer }, { $by }
transcript-system = system: { $text }
transcript-roots = Which folders may I see?
demo-answers = the demo's own answers
demo-intro =
    Askback demo: you book a vacation in Barcelona. In the middle of the call the travel server asks back, twice;
    your answers are sent only after you have seen them in full.
demo-intro-scripted =
    Askback demo: a vacation in Barcelona is booked. In the middle of the call the travel server asks back, twice.
    Nobody is at a terminal here, so an answer file plays your part; in a terminal the questions are yours.
demo-result = { $server } says
demo-outro =
    That was revision { $version } of the protocol. Try the same in the other era:
      askback demo --protocol { $other }
    or with a server of your own:
      askback call TOOL KEY=VALUE -- COMMAND ARGS…

## Logging in

login-wanted = { $server } wants you to log in, at { $issuer }
login-address = page: { $address }
login-consent = Press Enter to open this page in your browser; anything else, or Ctrl-D, leaves it.
login-not-now = { $server } wants you to log in again in the middle of a call; run askback servers login { $server } and call again
login-waiting = Waiting for you to come back from the page…
login-done = You are logged in to { $server }, at { $issuer }.
logout-done = Everything about logging in to { $server } is forgotten.
logout-revoked = Its tokens were revoked.
logout-not-revoked = The server could not be told; its tokens may count until they run out.
logout-failed = { $server }: something may still be kept: { $detail }
login-no-address = { $server } is a program that is started here; there is nothing to log in to
login-nobody = logging in needs a person at a terminal
servers-nothing = no servers are configured

# Models that are lent, and what goes wrong with them.
lending-unknown = no model { $name } is configured
lending-none = no model is configured that can be used
lending-unusable = { $name }: { $why }
lending-separator = { "; " }
lending-not-counted = what models take cannot be counted, so your limits could not be kept: { $detail }
lending-model = { $name }: { $why }
model-settings = its settings cannot be used: { $said }
model-no-key = it needs a key; name the variable that has it with key_env, or store it with: askback models key
model-key-unreadable = the stored key cannot be read: { $detail }
model-no-key-in = it needs a key, and the variable { $variable } is not set
model-unauthorized = the provider does not take the key: { $said }
model-unauthorized-in = the provider does not take the key in { $variable }: { $said }
model-forbidden = the provider does not allow it: { $said }
model-unknown = the provider knows no model { $model }: { $said }
model-too-many =
    { $wait ->
        [0] the provider takes no more requests for now: { $said }
       *[other] the provider takes no more requests for { $wait } s: { $said }
    }
model-too-long = the request is too long for it: { $said }
model-filtered = the provider refuses the content: { $said }
model-rejected = the provider refused the request ({ $status }): { $said }
model-unavailable = the provider is in trouble: { $said }
model-refused = nobody listens at { $origin }; is the local server running?
model-unreachable = { $origin } cannot be reached: { $detail }
model-redirected = its address redirects to { $said }, which is not followed, since the key belongs to the configured address
model-cut-short = the answer broke off: { $said }
model-silent = nothing came for { $seconds } s
model-unreadable = the answer cannot be read: { $said }
model-too-large = the answer is larger than { $limit } bytes
model-unsupported = it takes no { $said }
model-no-tool-called = it was to call a tool, and called none
model-tool-not-allowed = it called the tool { $said }, and may call none
unsupported-images = images
unsupported-audio = sound
unsupported-tools = tools
unsupported-media-type = media of the type { $name }
unsupported-media-of-assistant = images or sound said by the assistant
unsupported-media-in-tool-result = images or sound in the result of a tool
unsupported-misplaced-tool = tool calls in a message of the user

models-none = No model is configured. Servers that ask for one are answered by you. Add one to askback.toml, for example:

    { "[" }models.small]
    provider = "openai"
    base_url = "http://127.0.0.1:8080/v1"
    model = "smollm2"

    To see whether this machine serves models already: askback models detect
models-column-name = name
models-column-model = model
models-column-cost = cost
models-column-speed = speed
models-column-intelligence = intelligence
models-column-takes = takes
models-column-state = state
models-takes-text = text
models-no-key = needs a key (key_env, or askback models key)
models-no-variable = { $variable } is not set
models-default = default
models-ready = ready
models-key-kept = ready, with the key you stored
models-key-wanted = The key for { $place } (it is not shown, and Enter ends it):
models-key-is-kept = Stored. It goes to { $place } and nowhere else. Try it with: askback models test { $name }
models-key-other-first = A key in the configuration or its variable goes before the stored one.
models-key-forgotten = The stored key for { $place } is forgotten.
models-key-not-kept = the key cannot be stored or removed: { $detail }
models-key-none = no key was given: it is one line without spaces
models-stopped = All sampling is stopped. Let it go on with: askback models resume
models-resumed = Sampling goes on.
models-permitted = May always use a model without asking you, within your limits:
models-permitted-server = { $server } ({ $source }); left: { $left }
models-test-well = { $name } answers in { $seconds } s ({ $model }): { $said }
models-test-badly = not every model answers
models-unusable = not { $name }: { $why }
models-left = Left: { $left }
models-matched = , matches the hint “{ $hint }”
models-alike = , like the hint “{ $hint }”
models-nothing-to-revoke = { $server } has no standing permission
models-revoked = { $server } asks you again from now on.
models-not-written = this could not be written down: { $detail }
log-disclosed = { $count ->
    [one] { $server } was given one thing.
   *[other] { $server } was given { $count } things, the latest last.
 }
log-nothing = Nothing is on record that { $server } was given.
log-source = As: { $source }
log-entry = { $call }, round { $round }, decided by { $by }
log-entry-alone = round { $round }, decided by { $by }
log-empty-form = a form without values
log-consent = consent to open { $url }
log-by-hand = written by hand, without a model
log-model = written by { $model }
log-no-folders = an empty list of folders
log-reason = reason for the refusal: { $reason }
log-unreadable = { $file } cannot be read: { $detail }
log-damaged = { $file }: { $count ->
    [one] one line is damaged and left out
   *[other] { $count } lines are damaged and left out
 }
log-not-written = What { $server } is given could not be written to the log: { $detail }
models-detect-nothing = Nobody serves models at the usual ports of this machine: { $ports }.
models-detect-found = { $kind } at { $address }:
models-detect-known = { $model } is configured as { $name }.
## Changes

help-list-follow = Go on, and print each change as it happens, until Ctrl-C
help-read-follow = Go on, and print it again whenever the server says that it was updated, until Ctrl-C
changed = { $server } says that something has changed: { $what }
list-of-tools = its tools
list-of-prompts = its prompts
list-of-resources = its resources
one-of-tools = tool
one-of-prompts = prompt
one-of-resources = resource
one-of-resourceTemplates = resource template
listening-left-out = { $server } does not tell when this changes: { $detail }
listening-refused = { $server } does not tell of changes: { $detail }
listening-interrupted = { $server } does not tell of changes for the moment ({ $detail }); it is tried again
listening-over = { $server } tells of no more changes: { $detail }
follow-nothing = { $server } does not tell when what it offers changes
follow-no-updates = { $server } does not tell when a resource is updated
follow-over = there is nothing more to follow

## Folders

help-roots = List the folders that servers may be told of, and which server may be told of which
help-roots-add = Let servers see this folder, at once and from now on
help-roots-remove = Take a folder back that was added
help-roots-forget = Ask again before a server is told of any folder
help-roots-path = a folder
help-roots-name = a name for it
help-roots-only = for this server only
help-roots-exclude = never tell of folders that match; may be repeated
help-roots-server = a server
usage-roots = askback roots [add | remove | forget] [OPTIONS]
usage-roots-add = askback roots add DIR [--name NAME] [--server SERVER] [--exclude GLOB]…
usage-roots-remove = askback roots remove DIR [--server SERVER]
usage-roots-forget = askback roots forget SERVER
roots-none = There are no folders that a server could be told of. Add one with: askback roots add DIR
roots-column-folder = folder
roots-column-name = name
roots-column-from = from
roots-column-server = for
roots-column-state = state
roots-from-command-line = --root
roots-from-config = askback.toml
roots-from-server-config = askback.toml
roots-from-added = added
roots-from-workspace = current project
roots-for-all = all servers
roots-there = there
roots-workspace-asked = No server is told of the current project unless you have said so.
roots-excluded = Never told: { $globs }. A server that can read a folder above may read there all the same.
roots-exclusion-limits = Excluded folders are not told to servers. A server that can read a folder above may read there all the same.
roots-consents = Told without asking you:
roots-consent-shared = told of: { $folders }
roots-consent-withheld = not told of: { $folders }
roots-file = Kept in { $path }
roots-added = { $path } is there for all servers now. In a terminal you are asked before each of them is told for the first time.
roots-added-for = { $path } is there for { $server } now. In a terminal you are asked before it is told for the first time.
roots-changed = { $path } is changed.
roots-removed = { $path } is taken back; no server is told of it any more.
roots-not-added = { $path } was not added with “askback roots add”
roots-configured = it stands in askback.toml; take it out there
roots-forgotten = You are asked again before { $server } is told of any folder.
roots-nothing-to-forget = nothing is kept about folders for { $server }
roots-no-root = { $path }: { $detail }
roots-no-glob = { $glob } is no glob: { $detail }
roots-not-kept = this could not be read or written down: { $detail }
root-left-out = { $path } is left out of your folders: { $why }
root-vanished = it is not there
root-not-a-folder = it is no folder
root-unreadable = it cannot be read ({ $detail })
root-excluded = excluded
root-not-absolute = the path is not absolute
root-has-dots = “.” and “..” have no place in it
root-no-uri = no file:// URI can stand for it ({ $why })
root-obstacle-not-utf8 = it is not UTF-8
root-obstacle-nul = it has a NUL in it
root-obstacle-control-character = it has control characters in it
root-obstacle-empty-host = it has an empty part in the place of a host
root-obstacle-forbidden-character = it has a character that names cannot have
root-obstacle-bad-percent = a % is not followed by two digits
root-obstacle-encoded-slash = it has an encoded slash in it
root-obstacle-device = it names a device
root-obstacle-computer-name = the name of its computer has no place in a URI
root-obstacle-localhost = localhost in a URI means no computer at all; write the path with its drive
root-obstacle-no-share = it names a computer and no share
root-not-file = only file:// URIs can be told to servers
root-has-part = a root has no { $part ->
    [fragment] fragment (#)
    [query] query (?)
   *[host] host; for a folder on another computer, write its path
 }

## Sandbox

sandbox-line = sandbox ({ $mode }): { $parts }
sandbox-comma = {", "}
sandbox-semicolon = {"; "}
sandbox-writes = reads and writes { $paths }
sandbox-writes-nothing = writes nothing of yours
sandbox-reads = reads { $paths }
sandbox-no-network = no network
sandbox-ports = network: TCP to { $ports }
sandbox-hint = if it needs more than its sandbox lets it have, grant that in askback.toml: read, write, network or unix_sockets under servers.{ $server }.sandbox
sandbox-not-offered = { $server } is not started, because its sandbox cannot be enforced here: { $detail }
sandbox-not-offered-hint = it takes Linux 6.2 or newer with Landlock switched on; servers.{ $server }.sandbox = "off" starts it without protection
sandbox-too-old = { $server } is not started, because its sandbox cannot be enforced here: { $what } takes Linux { $since } or newer
sandbox-too-old-hint = servers.{ $server }.sandbox = "off" starts it without protection
sandbox-path = { $server } is not started: its sandbox grants { $path }, which cannot be opened: { $detail }
sandbox-path-hint = make it, or take it out of read or write
sandbox-too-many = { $server } is not started: what is excluded from { $path } cannot be kept from it, because there are more than { $most } files to look at
sandbox-too-many-hint = give it a smaller folder as its root, or move what is excluded out of it
sandbox-glob = { $server } is not started: its sandbox does not know how to keep { $glob } from it
sandbox-container = { $server } is not started: { $program } has the work done by another process, which no sandbox of ours holds
sandbox-container-hint = sandbox = "off" for this server, and let the container engine limit what it reaches
sandbox-refused = { $server } is not started, because the kernel did not take the rules of its sandbox: { $detail }

# Conversations with a model.
chat-nobody = nobody is here to talk with the model
chat-nobody-hint = say one thing with --once TEXT, or run it in a terminal
chat-nothing-said = there is nothing in --once
chat-no-model-hint = askback models shows what there is, and how to add one
chat-connecting = Connecting to { $servers } …
chat-without = The conversation goes on without a server: { $why }
chat-begins =
    { $count ->
        [one] You talk with { $model }. It may call one tool, and you are asked before it does.
       *[other] You talk with { $model }. It may call { $count } tools, and you are asked before it does.
    }
chat-begins-with-discovery = You talk with { $model }. There are { $count } tools, too many to tell it of at once; it looks for those it needs. You are asked before one is called.
chat-begins-without-tools = You talk with { $model }. There are no tools that it could call.
chat-begins-model-takes-none = You talk with { $model }. It takes no tools, so it calls none of the { $count } that there are (tools = true under its name, if it does).
chat-kept = The conversation is kept in { $path }
chat-not-kept = The conversation goes on, but something could not be written down: { $detail }
chat-none-kept = No conversation is kept yet.
chat-consents-unreadable = what you always allowed cannot be read: { $detail }
chat-nothing-to-revoke = nothing is always allowed for the tools of { $server }
chat-revoked =
    { $count ->
        [one] You are asked again before one tool of { $server } is called.
       *[other] You are asked again before { $count } tools of { $server } are called.
    }
chat-model-failed = the model gave no reply: { $why }
chat-model-failed-hint = askback models test shows whether it answers
chat-capped = the model called tools { $rounds } times over in one turn, which is the most
chat-capped-hint = rounds under [chat] lets it have more
chat-unallowed = the model wanted to call tools that nobody was here to allow
chat-unallowed-hint = allow them with --allow { $tool }, with allow under [servers.NAME.chat], or run it in a terminal
