# The header of a question.
term-asks-form = { $server } asks you for information
term-asks-confirm = { $server } asks you to confirm
term-asks-url = { $server } asks you to open a web page
term-asks-sampling = { $server } asks for a language model’s reply
term-asks-roots = { $server } asks for your folders
term-for-call = for { $call }
term-for-one-of = for one of: { $calls }
term-no-call = not tied to any call
term-round = round { $number } of at most { $most }
term-question = question { $number } of { $of }
term-list-separator = { ", " }
term-colon = { ": " }
term-no-message = { $server } gave no reason.
term-waiting =
    { $count ->
        [one] { $count } more question waits.
       *[other] { $count } more questions wait.
    }

# Fields.
term-field = field { $number } of { $of }
term-required = required
term-optional = optional
term-default = default: { $value }
term-left-out = left out
term-leave-out = leave it out
term-empty-text = (empty text)
term-empty-list = (empty list)
term-yes = yes
term-no = no
term-choose-first = Choose one first.
term-filter =
    { $count ->
        [0] nothing matches “{ $filter }”
        [one] { $count } match for “{ $filter }”
       *[other] { $count } matches for “{ $filter }”
    }
term-more = … { $count } more
term-more-above =
    { $count ->
        [one] … { $count } field above
       *[other] … { $count } fields above
    }
term-in-full-above = The full text is above.
term-offset-to-add = The offset from UTC is missing. Enter adds yours, { $offset }.
term-offset-added = Your offset from UTC, { $offset }, was added. Enter goes on.
term-weekday =
    { $day ->
        [1] a Monday
        [2] a Tuesday
        [3] a Wednesday
        [4] a Thursday
        [5] a Friday
        [6] a Saturday
       *[7] a Sunday
    }
term-secret-override = To fill it in all the same, type “{ $word }” first.
term-secret-word = yes
term-secret-locked = This is required. Type “{ $word }” to fill it in, or decline with Ctrl-X.

# What keys do.
term-do-next = next
term-do-back = back
term-do-move = move
term-do-choose = choose
term-do-tick = tick
term-do-filter = search
term-do-new-line = new line
term-do-editor = your editor
term-do-empty-text = empty text
term-do-no-text = no text
term-do-empty-list = empty list
term-do-no-list = no list
term-do-clear = clear
term-do-edit = edit
term-do-review = review
term-do-decline = decline
term-do-cancel = cancel
term-do-refuse = refuse

# Choices.
term-choice-send = Send
term-choice-edit = Edit
term-choice-accept = Accept
term-choice-decline = Decline
term-choice-cancel = Cancel
term-choice-open = Open in the browser
term-choice-show = Agree, but only show the address
term-choice-write = Write a reply
term-choice-call = Call a tool
term-choice-share-once = Share the ticked folders, in this run
term-choice-share-always = Share them with { $server } from now on
term-choice-no-folders = Share no folders

# Review.
term-review = This goes to { $server }:
term-review-refused = This cannot be sent yet:
term-review-reply = This goes to { $server } as the model’s reply:
term-pick-field = Which one?
term-confirm = Accepting tells { $server } yes, and nothing else.

# Declining.
term-decline-title = Decline
term-decline-why = Why? A reason is optional; { $server } gets to see it.
term-decline-why-unheard = Why? A reason is optional; it is kept here, { $server } does not get to see it.
term-decline-this = only this question
term-decline-all = everything from { $server } for now
term-decline-all-and-rest = everything from { $server } for now, the questions after this one too
term-reason-given = Reason: { $reason }

# How it ended.
term-kept = Answered; it goes to { $server } together with the rest.
term-sent = Sent to { $server }.
term-consented = { $server } knows that you agreed. The address:
term-consented-opening = { $server } knows that you agreed. Opening the page …
term-declined = Declined; { $server } is told.
term-cancelled = Cancelled; { $server } is told that you did not choose.
term-agreed = You agreed. The address:
term-agreed-opening = You agreed. Opening the page …
term-declined-unheard = Declined. The call ends; { $server } is not told why.
term-cancelled-unheard = Cancelled. The call ends; { $server } is not told why.
term-page-hint = If no page appears, copy the address from above.
term-page-hint-stop = { " " }Ctrl-C stops the call.
term-page-failed = The page could not be opened ({ $why }). Copy the address:

# Web pages.
term-leads-to = Leads to
term-reads-as = Reads as
term-url-consent = What you do there is between you and the page; { $server } learns only that you agreed.
term-url-consent-unheard = What you do there is between you and the page. { $server } learns nothing; afterwards the call is tried again.

# Waiting for pages.
term-wait-title = { $server } goes on once you have been there
term-wait-explained = Do there what is to be done, then try again. If { $server } says that it is done, the call goes on by itself.
term-choice-try-again = Try the call again
term-choice-give-up = End the call
term-trying-again = Trying again …
term-gave-up = The call ends; { $server } is not told why.
term-do-end-call = end the call

# Answers that got no reply.
term-resend-title = { $server } gave no reply to your answers
term-resend-explained = Your answers are kept. They are sent again only if you say so.
term-what-happened = What happened
term-may-have-acted = { $server } may have received your answers and acted on them. Sending them again may then do it twice.
term-has-not-acted = { $server } has not acted on your answers.
term-choice-send-again = Send again
term-sending-again = Sending your answers again …
term-not-sent-again = The call ends. Nothing is sent again.

# Folders.
term-roots-here = { $server } would learn the names and paths of the ticked folders, and nothing of what is in them. A server on this computer may be able to read there by itself.
term-roots-nothing = { $server } wants to know which folders you have opened, and none is.
term-roots-excluded = Never shared: { $globs }. If { $server } can read a folder above, it may read there all the same.
term-roots-tick-first = Tick a folder first with the space bar, or share none.
term-roots-remembered = { $server } may know this from now on. “askback roots forget” takes it back.
term-roots-not-remembered = This could not be written down, so you will be asked again: { $why }
term-root-given = given with --root
term-root-config = from askback.toml
term-root-server-config = from askback.toml, for { $server }
term-root-added = added with “askback roots add”
term-root-workspace = the project that you are in

# Sampling.
term-no-model = No model is configured, so you write the reply yourself.
term-system-prompt = system prompt
term-role-user = user
term-role-assistant = assistant
term-tools = tools that the model may call
term-image = ▣ image, { $type }, { $size }
term-audio = ♪ sound, { $type }, { $size }
term-calls-tool = → calls { $tool }
term-tool-result = ← result
term-tool-error = ← result, an error
term-max-tokens = Length
term-tokens =
    { $count ->
        [one] at most { $count } token
       *[other] at most { $count } tokens
    }
term-model-hints = Wants a model like
term-priorities = Priorities (0 to 1)
term-cost = cost
term-speed = speed
term-intelligence = intelligence
term-temperature = Temperature
term-stop-sequences = Stop at
term-include-context = Wants context
term-metadata = Metadata
term-must-call = { $server } wants a tool call and takes no text.
term-must-not-call = { $server } takes no tool call here.
term-your-reply = Your reply to { $server }
term-empty-reply = A reply cannot be empty.
term-pick-tool = Which tool?
term-input-of = Input of { $tool }
term-input-json = Write it as a JSON object.
term-not-an-object = This is not a JSON object: { $detail }

# The person’s own editor.
term-editor-failed = The editor could not be used: { $why }
term-no-editor = No editor is set.
term-unusable = The question cannot be put here, as keys cannot be read: { $why }
