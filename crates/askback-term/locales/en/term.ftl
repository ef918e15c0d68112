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

# A login in the middle of a call.
term-login-title = { $server } wants you to log in before the call goes on
term-login-at = Login at
term-login-scopes = Allows
term-login-any-scope = What the login allows is decided on that page.
term-login-explained = The page opens in your browser. Once you have logged in, the call goes on by itself; your time does not count against its limits.
term-choice-log-in = Log in
term-choice-no-login = Do not log in
term-logging-in = The page is being opened. Waiting for you to come back from it …
term-not-logged-in = No page is opened. { $server } does not let the call through.

# Folders.
term-roots-here = { $server } wants to know which folders you have opened. Folders are shared by configuration, not from here.

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

# Gate one: what a model would get.
term-model-waits = A model of yours would reply. Nothing has gone to it yet.
term-not-included = { $what } (not included)
term-included = { $what } (its own is added to the system prompt, as you allow it)
term-model = Model
term-model-of = { $name } ({ $id })
term-why = Why
term-you-chose = You chose it.
term-size = Size
term-size-of = about { $input } tokens go to it, at most { $output } come back
term-size-short = about { $input } tokens, at most { $output } back
term-cost-of = Cost
term-cost-unknown = no price known
term-shorter = Shorter
term-limits-left = Left
term-no-model-fits = None of your models can take this:
term-hidden = Hidden from the model:
term-not-hidden = Not hidden; the model gets to see these:
term-changed = What you changed:
term-message-of = message { $number }, { $role }
term-left-out-part = part { $part } is left out
term-choice-ask = Ask { $model }
term-choice-look-again = Check the limit again
term-choice-draft = Back to the draft
term-choice-models = Choose another model …
term-choice-edit-request = Edit the request …
term-choice-show-secrets = Show the model the secrets as they are
term-choice-hide = Hide the secrets from the model
term-choice-write-yourself = Write the reply yourself
term-choice-call-yourself = Call a tool yourself
term-choice-permit = Let { $server } use models without asking me …
term-model-stopped = Stopped. What was written so far is discarded.
term-edit-again = Your text is kept. Ctrl-E opens it again.

# Choosing another model.
term-pick-model = Which model?
term-models-unusable = Cannot take this:

# Editing a request or a draft.
term-pick-part = Which part?
term-part-tokens = length of the reply, in tokens
term-part-whole = everything, in your editor
term-part-undo = undo all your changes
term-part-text = text
term-part-instead = text in place of the tool calls
term-tokens-range = This has to be a whole number from 1 to { $most }.
term-nothing-left = No message would be left.
term-empty-is-left-out = Left empty, it is left out.
term-do-take = done
term-edit-comment =
    Change what the model gets to see. Sections and “tool” lines may be left out, but none can be added.
    Text goes below its heading, as it is. An empty “temperature” leaves it to the model.

# Permissions.
term-permit-title = Let { $server } use your models without asking you?
term-permit-what = Whatever { $server } asks for goes to a model, and the reply goes back, without you seeing either.
term-permit-models = Models: { $models }. The most suitable one is taken each time.
term-permit-limits = Limits: { $limits }. What goes beyond them still comes to you.
term-permit-no-limits = You have set no limits for it.
term-permit-secrets = Secrets that are found stay hidden from the model.
term-permit-now = This request, as shown above, goes to { $model } now. You still see its reply before it goes back.
term-permit-revoke = “Always” ends when you run: askback models revoke { $server }
term-choice-session = Until this run ends
term-choice-always = Always, until I take it back
term-choice-back = No, go back
term-permitted-session = Until this run ends, { $server } may use your models without asking you.
term-permitted-always = { $server } may always use your models without asking you. To take it back: askback models revoke { $server }
term-permitted-unwritten = This could not be written down ({ $why }). { $server } may use your models until this run ends.

# The model at work.
term-model-asked = { $model } is asked.
term-said-hidden =
    { $count ->
        [one] { $count } secret is hidden from it.
       *[other] { $count } secrets are hidden from it.
    }
term-said-shown =
    { $count ->
        [one] It gets to see { $count } secret.
       *[other] It gets to see { $count } secrets.
    }
term-working = { $model } is at work …
term-thinking = thinking, no part of the reply
term-do-stop = stop
term-draft-lost = The model stopped without a reply.

# Gate two: the draft.
term-draft-empty = The model wrote nothing.
term-written-by = written by { $model }
term-tokens-used = { $read } tokens read, { $written } written
term-stopped-by = stop reason { $reason }
term-not-taken = The model does not take these settings; it replied without them: { $names }
term-with-placeholders = Hidden secrets appear as placeholders, and { $server } gets it like this.
term-with-secrets = The secrets are back in their places. { $server } gets to see them, exactly as shown here.
term-draft-edited = What you changed of the draft (it goes back under the name { $model } all the same):
term-choice-send-secrets = Send with the secrets
term-choice-restore = Put the secrets back, and look again
term-choice-placeholders = Leave the placeholders
term-choice-regenerate = Ask the model again
term-choice-request = Back to the request

# The person’s own editor.
term-editor-failed = The editor could not be used: { $why }
term-no-editor = No editor is set.
term-unusable = The question cannot be put here, as keys cannot be read: { $why }
