# What is wrong with an entry of a form.
entry-required = A value is needed here.
entry-too-short =
    { $least ->
        [one] At least { $least } character
       *[other] At least { $least } characters
    }; there are { $actual } so far.
entry-too-long =
    { $most ->
        [one] At most { $most } character
       *[other] At most { $most } characters
    }; there are { $actual }.
entry-pattern = This does not match the pattern { $pattern }.
entry-not-email = This is not an e-mail address.
entry-not-uri = This is not a complete address, such as https://example.com.
entry-not-date = This is not a date that exists, written like 2026-06-15.
entry-not-date-time = This is not a date and time, written like 2026-06-15T09:30:00+02:00.
entry-offset-missing = The offset from UTC is missing: write +02:00, say, or Z at the end.
entry-not-number = This is not a number.
entry-not-integer = This has to be a whole number.
entry-not-representable = This number is too large or too fine to be sent exactly.
entry-too-small = This has to be { $bound } or more.
entry-not-above = This has to be more than { $bound }.
entry-too-large = This has to be { $bound } or less.
entry-not-below = This has to be less than { $bound }.
entry-not-multiple = This has to be a multiple of { $of }.
entry-too-few = Choose at least { $least }; { $actual } chosen so far.
entry-too-many = Choose at most { $most }; { $actual } are chosen.
entry-item = Value { $number } of the list: { $error }
entry-not-json = This is not JSON: { $detail }
entry-wrong-kind = This field takes another kind of entry.
entry-schema = The server’s schema refuses this: { $detail }

# What may be entered, for a label.
limits-separator = { ", " }
limits-characters-exactly =
    { $count ->
        [one] { $count } character
       *[other] { $count } characters
    }
limits-characters-between = { $least }–{ $most } characters
limits-characters-at-least =
    { $count ->
        [one] at least { $count } character
       *[other] at least { $count } characters
    }
limits-characters-at-most =
    { $count ->
        [one] at most { $count } character
       *[other] at most { $count } characters
    }
limits-pattern = pattern { $pattern }
limits-email = e-mail address
limits-uri = web or other address
limits-date = date, e.g. 2026-06-15
limits-date-time = date and time, e.g. 2026-06-15T09:30:00+02:00
limits-integer = whole number
limits-number = number
limits-range = { $least } to { $most }
limits-least = { $bound } or more
limits-above = more than { $bound }
limits-most = { $bound } or less
limits-below = less than { $bound }
limits-multiple = multiple of { $of }
limits-boolean = yes or no
limits-choice = one of these
limits-choices = any of these
limits-choices-exactly = choose { $count }
limits-choices-between = choose { $least } to { $most }
limits-choices-at-least = choose at least { $count }
limits-choices-at-most = choose at most { $count }
limits-text = text
limits-true-false = true or false
limits-or = { " or " }
limits-lines = one to a line
limits-items-exactly = { $count } of them
limits-items-between = { $least } to { $most } of them
limits-items-at-least = at least { $count } of them
limits-items-at-most = at most { $count } of them
limits-json = JSON

# How a field was read.
note-default-ignored = The server’s default { $default } does not fit this field and is not used.
note-names-do-not-fit = The server’s names do not match its values; values are shown where a name is missing.
note-unknown-format = The format “{ $format }” is not checked.
note-pattern-unusable = The pattern { $pattern } cannot be used and is not checked here.
note-fixed = The server has fixed this value.
json-object = This is an object of its own; write it as JSON.
json-list = This is a list; write it as JSON.
json-alternatives = This can take several shapes; write it as JSON.
json-anything = The server does not say what goes here; write any JSON.
unanswerable-not-allowed = No answer can satisfy this form: it requires “{ $key }” and does not allow it. You can only decline or cancel.
unanswerable-no-value = No answer can satisfy this form: there is no value for “{ $key }”. You can only decline or cancel.

# Secrets.
secret-field = This looks like a secret (“{ $found }”). Whatever you enter goes to { $server } in the clear.
secret-form = This form seems to ask for a secret. Forms must not: { $server } has to use a web page for that. Best decline.

# Why an address is never opened.
address-too-long = This is never opened: it is { $bytes } bytes long, and { $most } is the most.
address-control-characters = This is never opened: it has line breaks or control characters.
address-blanks = This is never opened: it has blanks.
address-not-absolute = This is never opened: it is no complete web address.
address-other-scheme = This is never opened: “{ $scheme }:” is not for web pages; only http and https are.
address-bad-host = This is never opened: there can be no such host.
address-malformed = This is never opened: programs disagree on where such an address leads.

# What is odd about an address.
address-user-info = What stands before the @ is not the host. It is a user name or password, or made to mislead.
address-mixed-scripts = The host mixes letters of different scripts.
address-looks-like = The host looks like { $plain } and is not.
address-domain-in-subdomain = “{ $domain }” is only a part of the host’s name; the page does not belong to it.
address-in-path = Another address stands in this one. It does not lead there.
address-disguised = The host is written in a disguise. It really is { $host }.
address-punycode = The host has letters beyond a–z, which can look like others. It is contacted as { $ascii }.
address-hidden-characters = It has characters that are not seen or change the direction of writing.
address-backslashes = It has backslashes, which not every program reads alike.
address-ip = The host is a bare number, not a name.
address-this-computer = It leads to this computer.
address-private = It leads into your own network.
address-link-local = It leads to a device next to this computer.
address-metadata = Cloud machines keep their credentials there.
address-plain-http = Not encrypted: others can read and change what is sent.
address-port = An unusual port: { $port }.
address-long = It is very long ({ $bytes } bytes).

# For the author of the server.
author-old-dialect = For the server’s author: “{ $found }” comes from an older tutorial; the standard name is “{ $instead }”.
author-deprecated = For the server’s author: “{ $feature }” is deprecated since revision 2026-07-28.

# Why an ask cannot be put to anyone.
problem-unknown-method = The server asked with “{ $method }”, which is none of the protocol’s questions.
problem-undeclared = The server asked for something that was not offered to it ({ $capability }).
problem-invalid = The server’s question is malformed at { $path }: { $what }

# What was called.
call-tool = the tool { $subject }
call-prompt = the prompt { $subject }
call-resource = the resource { $subject }

# Who or what answered.
by-person = a person
by-answers = an answer file
by-policy = a rule of your policy
by-model = a model
by-config = your configuration
by-nobody = nobody

# Why a question is no longer open.
closed-answered = Everything was answered.
closed-elsewhere = { $server } no longer waits for this: { $by } answered first. Your answer was not sent.
closed-pages-done = { $server } says that this is done. The call is tried again.
closed-withdrawn = { $server } no longer waits for this: it withdrew the question. Your answer was not sent.
closed-timed-out = { $server } no longer waits for this: the call timed out. Your answer was not sent.
closed-stopped = { $server } no longer waits for this: the call was stopped. Your answer was not sent.
closed-disconnected = { $server } no longer waits for this: the connection to it is gone. Your answer was not sent.
closed-call-ended = { $server } no longer waits for this: the call ended without it. Your answer was not sent.

# Why a call no longer waits for a word.
wait-closed-goes-on = { $server } is called again: somebody else said so.
wait-closed-stopped = The call of { $server } was stopped. Nothing is sent again.
wait-closed-ended = The call of { $server } has ended. Nothing is sent again.

# Why an answer was not taken.
rejected-already-answered = This was not sent: it has already been answered by { $by }.
rejected-no-longer-wanted = This was not sent: the server no longer waits for it.
rejected-invalid = This was not sent: it does not satisfy the form.
rejected-wrong-kind = This was not sent: such an answer does not fit the question.
rejected-desk-closed = This was not sent: everything is shutting down.

# Sampling: why a model was chosen.
why-hint = It matches the server’s hint “{ $hint }”{ $among }.
why-vendor = It comes from the vendor that the server’s hint “{ $hint }” names{ $among }.
why-class = It is a { $class }, like the “{ $hint }” that the server would like{ $among }.
why-priorities = It suits the server’s priorities best ({ $priorities }).
why-default = It is your default.
why-default-missed = It is your default; none of your models matches the server’s hints.
why-only-one = It is the only one of your models that can take this.
why-first = It is the first of your models.
why-first-missed = It is the first of your models; none of them matches the server’s hints.
among-priorities = , and of those it suits the server’s priorities best
among-default = , and of those it is your default
among-order = , and of those you list it first
class-small = small, quick model
class-middle = all-round model
class-large = large model
priority-cost = cost
priority-speed = speed
priority-intelligence = intelligence

# Why a model cannot be used.
unfit-not-allowed = not allowed for this server
unfit-no-tools = takes no tools
unfit-no-images = takes no images
unfit-no-audio = takes no sound
unfit-context = takes { $context } tokens, and this is about { $input }

# Limits.
exceeded-stopped = You have stopped all sampling.
exceeded-loop =
    { $rounds ->
        [one] The results of tools came back { $rounds } time in this conversation
       *[other] The results of tools came back { $rounds } times in this conversation
    }; your limit is { $limit }.
exceeded-requests =
    { $limit ->
        [one] Your limit of { $limit } request a minute is used up.
       *[other] Your limit of { $limit } requests a minute is used up.
    }
exceeded-tokens = This needs about { $needed } tokens; { $left } are left of your { $limit } a day.
exceeded-money = This costs at least { $needed }; { $left } is left of your { $limit } a day.
exceeded-again-seconds = There is room again in { $count } s.
exceeded-again-minutes = There is room again in { $count } min.
exceeded-and-again = { $what } { $again }
exceeded-again-hours = There is room again in { $count } h.
capped-by-reply = at most { $most } tokens, your limit for a reply (the server asks for { $asked })
capped-by-day = at most { $most } tokens, all that is left of today’s (the server asks for { $asked })
capped-by-money = at most { $most } tokens, all that today’s money buys (the server asks for { $asked })
capped-by-context = at most { $most } tokens, all that the model has room for (the server asks for { $asked })
left-requests =
    { $count ->
        [one] { $count } request this minute
       *[other] { $count } requests this minute
    }
left-tokens = { $count } tokens today
left-money = { $sum } today
cost-range = { $least } to { $most }

# Secrets that are hidden from a model.
secret-hidden = { $kind } { $shown } → { $placeholder } ({ $places })
secret-shown = { $kind } { $shown } ({ $places })
secret-private-key = private key
secret-aws = AWS key
secret-github = GitHub token
secret-gitlab = GitLab token
secret-slack = Slack token
secret-google = Google key
secret-stripe = Stripe key
secret-model-provider = model provider’s key
secret-service = access token
secret-jwt = JSON Web Token
secret-url-password = password in an address
secret-authorization = login of a request
secret-named = value named as a secret
secret-own = text that you want hidden
secret-random = random-looking token
place-system-prompt = system prompt
place-message = message { $number }
place-tool = tools
place-stop-sequence = stop sequences
place-metadata = metadata

# The limits of a server.
limit-requests =
    { $count ->
        [one] { $count } request a minute
       *[other] { $count } requests a minute
    }
limit-tokens =
    { $count ->
        [one] { $count } token a day
       *[other] { $count } tokens a day
    }
limit-money = { $sum } a day
limit-reply =
    { $count ->
        [one] replies of at most { $count } token
       *[other] replies of at most { $count } tokens
    }
limit-loop =
    { $count ->
        [one] results of tools at most { $count } time in a conversation
       *[other] results of tools at most { $count } times in a conversation
    }
matched-hint = matches “{ $hint }”
matched-alike = like “{ $hint }”

# What is wrong with an edited request.
edit-error = Line { $line }: { $problem }
edit-unknown-setting = “{ $text }” is no setting.
edit-set-twice = { $text } is set twice.
edit-max-tokens = max-tokens has to be a whole number from 1 to { $most }.
edit-temperature = temperature has to be a number, 0 or more.
edit-quotes = “{ $text }” is no text in quotation marks.
edit-unknown-tool = the server offers no tool “{ $text }”.
edit-unknown-section = the request has no section “{ $text }”.
edit-section-twice = the section “{ $text }” is there twice.
edit-fixed = the section “{ $text }” cannot be changed or left out.
edit-empty = no message is left.
