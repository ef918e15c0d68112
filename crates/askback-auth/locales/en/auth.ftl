# The page that a login ends on.
auth-page-answered = Back to Askback
auth-page-answered-text = Askback has received the answer of the login page. You can close this page.
auth-page-refused = The login was refused
auth-page-refused-text = The login page did not let Askback in. You can close this page; Askback says more where you started it.

# Why there is no token. Variables that come from servers are neutralised.
auth-not-offered = the server answered { $status } and does not say where to log in: { $looked }
auth-not-offered-login = the server does not say where to log in: { $looked }
auth-looked-status = { $address } answered { $status }
auth-looked-nothing = { $address } gave no answer
auth-looked-not-asked = { $address } was not asked, because it is not https
auth-list-separator = { "; " }
auth-discovery = what the server says about logging in cannot be used: { $detail }
auth-address = what the server says about logging in names { $address }, which is neither https nor on the server’s own machine
auth-no-pkce = { $issuer } does not support PKCE with S256, without which a login is not safe
auth-other-issuer = the server now wants a login at { $now }, but the configured client was registered with { $before }; if that is right, log out of the server and change its configuration
auth-no-registration = { $issuer } does not register clients by itself; ask its operator for a client ID and configure it
auth-registration = { $issuer } did not register Askback: { $detail }
auth-listen = no port on this machine can be listened on for the answer of the login page: { $detail }
auth-not-opened = the login page could not be opened: { $detail }
auth-declined = you did not want to log in
auth-timed-out = nobody came back from the login page within { $seconds ->
    [one] one second
   *[other] { $seconds } seconds
}
auth-no-redirect = the login page answered { $status } instead of sending back
auth-login-refused = the login was refused: { $error }
auth-login-refused-why = the login was refused: { $error } ({ $description })
auth-other-state = an answer came from the login page that does not belong to this login
auth-wrong-issuer = the answer of the login page came from { $received }, but { $expected } was asked
auth-missing-issuer = the answer of the login page does not say that it is from { $expected }, which it has to
auth-no-code = the login page sent back without a code
auth-token = no token was issued: { $detail }
auth-no-token = the answer of the token endpoint holds no token
auth-token-endpoint = { $address } issued no token: { $detail }
auth-courier = { $detail }
auth-key = the configured key is no PKCS#8 private key in PEM that can sign with { $algorithm }
auth-store-file = tokens cannot be kept: { $path }: { $detail }
auth-store-open = tokens are not read from { $path }, because others can read or change it; make it yours alone (chmod 600), or delete it
auth-store-keyring = tokens cannot be kept in the keyring: { $detail }
auth-store-damaged = the tokens kept for this server cannot be read; log out of it to begin anew
auth-still-refused = it answered { $status }
auth-still-refused-error = it answered { $status }, { $error }
auth-still-refused-words = it answered { $status }, { $error }: { $description }
