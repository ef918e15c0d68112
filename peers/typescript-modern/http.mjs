// Streamable HTTP in both eras, for a server that is made anew for each request (modern) or each session (legacy).
//
// What the SDK serves to legacy clients by itself has no sessions, and without a session a server cannot ask: so sessions are kept here,
// as its documentation says to.

import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import {
    createMcpHandler,
    isLegacyRequest,
    WebStandardStreamableHTTPServerTransport
} from '@modelcontextprotocol/server';

/** Listens on a free port of loopback and prints the address. */
export async function serveHttp(makeServer) {
    const modern = createMcpHandler(makeServer, { legacy: 'reject' });
    const legacy = sessions(makeServer);
    const listener = createServer(async (incoming, outgoing) => {
        const request = requestOf(incoming, outgoing);
        const answer = (await belongsToSession(request)) ? legacy(request) : modern.fetch(request);
        await send(await answer, outgoing);
    });
    listener.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${listener.address().port}/mcp`));
}

/** Only a session is listened to with GET or ended with DELETE. */
const belongsToSession = async (request) => request.method !== 'POST' || (await isLegacyRequest(request));

function sessions(makeServer) {
    const transports = new Map();
    return async (request) => {
        const known = request.headers.get('mcp-session-id');
        if (known !== null) {
            return transports.get(known)?.handleRequest(request) ?? new Response(null, { status: 404 });
        }
        const transport = new WebStandardStreamableHTTPServerTransport({
            sessionIdGenerator: randomUUID,
            onsessioninitialized: (id) => void transports.set(id, transport),
            onsessionclosed: (id) => void transports.delete(id)
        });
        await makeServer().connect(transport);
        return transport.handleRequest(request);
    };
}

/** What Node received, as the SDK wants it: aborted when the client goes away. */
function requestOf(incoming, outgoing) {
    const gone = new AbortController();
    outgoing.on('close', () => gone.abort());
    const hasBody = incoming.method !== 'GET' && incoming.method !== 'DELETE';
    return new Request(`http://${incoming.headers.host}${incoming.url}`, {
        method: incoming.method,
        headers: incoming.headers,
        body: hasBody ? Readable.toWeb(incoming) : undefined,
        duplex: 'half',
        signal: gone.signal
    });
}

async function send(answer, outgoing) {
    outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body === null) return void outgoing.end();
    // A client that hangs up in the middle is no fault of this server.
    Readable.fromWeb(answer.body).on('error', () => outgoing.destroy()).pipe(outgoing);
}
