// A small MCP server on the official TypeScript SDK that asks back in every way.
//
// Over stdio; with `--http` over Streamable HTTP, on a free port of loopback, whose address it prints first.
//
// The tools have the same names and results as those of `../python-modern`, so one scenario runs over either. A handler
// returns `inputRequired(...)` and is entered again with the answers; for a legacy client the SDK itself sends the
// requests.

import { setTimeout as sleep } from 'node:timers/promises';
import { createRequestStateCodec, inputRequired, inputResponse, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
import { serveHttp } from './http.mjs';

// Fixed, so that a call survives a restart of this process.
const state = createRequestStateCodec({ key: 'a key for tests, known to everyone' });

const done = (value) => ({ content: [{ type: 'text', text: JSON.stringify(value) }], structuredContent: value });

/** The answers by key when all of them came, else undefined. They are handed over as they came. */
function answersTo(requests, ctx) {
    const received = ctx.mcpReq.inputResponses ?? {};
    return Object.keys(requests).every((key) => key in received) ? received : undefined;
}

// --- What is asked --------------------------------------------------------------------------------------------------

const profile = inputRequired.elicit({
    message: 'Who are you?',
    requestedSchema: {
        type: 'object',
        properties: {
            name: { type: 'string', title: 'Name', description: 'What people call you', minLength: 1 },
            age: { type: 'integer', title: 'Age', minimum: 0, maximum: 150 },
            agree: { type: 'boolean', title: 'I agree' },
            colour: {
                type: 'string',
                title: 'Colour',
                oneOf: [
                    { const: 'red', title: 'Red like a rose' },
                    { const: 'green', title: 'Green like grass' },
                    { const: 'blue', title: 'Blue like the sea' }
                ],
                default: 'green'
            },
            tags: {
                type: 'array',
                title: 'Tags',
                items: {
                    anyOf: [
                        { const: 'sea', title: 'By the sea' },
                        { const: 'city', title: 'In a city' },
                        { const: 'snow', title: 'In the snow' }
                    ]
                },
                maxItems: 2
            }
        },
        required: ['name', 'agree']
    }
});

const reply = inputRequired.createMessage({
    systemPrompt: 'You are terse.',
    messages: [
        { role: 'assistant', content: { type: 'text', text: 'Which flight do you want?' } },
        { role: 'user', content: { type: 'text', text: 'The cheapest one.' } }
    ],
    maxTokens: 100
});

const roots = inputRequired.listRoots();

// Converted by the SDK from a Zod schema, as its documentation shows.
const step = (message) => inputRequired.elicit({ message, requestedSchema: z.object({ value: z.string().min(1) }) });

/** Asks `requests` in one round, then answers with what `finish` makes of the answers. */
const asks = (requests, finish) => (ctx) => {
    const answers = answersTo(requests, ctx);
    return answers ? finish(answers) : inputRequired({ inputRequests: requests });
};

// --- Tools ----------------------------------------------------------------------------------------------------------

function addTools(server) {
    server.registerTool(
        'echo',
        { description: 'Returns the text.', inputSchema: z.object({ text: z.string() }) },
        ({ text }) => done({ text })
    );

    server.registerTool(
        'ask_form',
        { description: 'Asks one form and returns the answer.' },
        asks({ profile }, (answers) => done(answers.profile))
    );

    const consent = inputRequired.elicitUrl({
        message: 'Please give your consent on this page.',
        url: 'http://127.0.0.1:9/consent'
    });
    server.registerTool(
        'ask_url',
        { description: 'Asks the person to visit a page, and returns the action.' },
        asks({ consent }, (answers) => done({ action: answers.consent.action }))
    );

    server.registerTool(
        'ask_sampling',
        { description: 'Asks the model and returns its reply.' },
        asks({ reply }, (answers) => {
            const { content, model } = answers.reply;
            const blocks = Array.isArray(content) ? content : [content];
            const text = blocks.filter((block) => block?.type === 'text').map((block) => block.text);
            return done({ text: text.join('\n'), model });
        })
    );

    server.registerTool(
        'ask_roots',
        { description: 'Asks for the roots and returns them.' },
        asks({ roots }, (answers) => done(answers.roots))
    );

    server.registerTool(
        'ask_all',
        { description: 'Asks for a form, the model and the roots in one round.' },
        async (ctx) => {
            const requests = { profile, reply, roots };
            const answers = answersTo(requests, ctx);
            if (answers) return done({ profile: answers.profile, reply: answers.reply, roots: answers.roots });
            return inputRequired({ inputRequests: requests, requestState: await state.mint('ask_all', ctx) });
        }
    );

    server.registerTool(
        'wizard',
        {
            description: 'Asks one small form a round; what was answered so far travels in the request state.',
            inputSchema: z.object({ steps: z.number().int().default(3) })
        },
        async ({ steps }, ctx) => {
            const values = ctx.mcpReq.requestState() ?? [];
            const answer = inputResponse(ctx.mcpReq.inputResponses, `step${values.length + 1}`);
            if (answer.kind === 'elicit') {
                if (answer.action !== 'accept') return done({ values, stopped: answer.action });
                values.push(answer.content?.value);
            }
            const next = values.length + 1;
            if (next > steps) return done({ values });
            return inputRequired({
                inputRequests: { [`step${next}`]: step(`Step ${next} of ${steps}`) },
                requestState: await state.mint(values, ctx)
            });
        }
    );

    server.registerTool(
        'state_only',
        {
            description: 'Asks nothing, but has the client call again `polls` times.',
            inputSchema: z.object({ polls: z.number().int().default(2) })
        },
        async ({ polls }, ctx) => {
            const seen = ctx.mcpReq.requestState() ?? 0;
            if (seen >= polls) return done({ polls });
            return inputRequired({ requestState: await state.mint(seen + 1, ctx) });
        }
    );

    server.registerTool(
        'slow',
        {
            description: 'Takes its time, and tells of its progress every 100 ms to whoever wants to know.',
            inputSchema: z.object({ seconds: z.number().default(1) })
        },
        async ({ seconds }, ctx) => {
            const ticks = Math.max(1, Math.round(seconds * 10));
            const progressToken = ctx.mcpReq._meta?.progressToken;
            try {
                for (let tick = 0; tick < ticks; tick++) {
                    if (progressToken !== undefined) {
                        const params = { progressToken, progress: tick, total: ticks, message: `${tick} of ${ticks}` };
                        await ctx.mcpReq.notify({ method: 'notifications/progress', params });
                    }
                    await sleep((seconds * 1000) / ticks, undefined, { signal: ctx.mcpReq.signal });
                }
            } catch (error) {
                if (ctx.mcpReq.signal.aborted) console.error('slow: cancelled');
                throw error;
            }
            return done({ slept: seconds });
        }
    );

    server.registerTool('fail', { description: 'Always fails, politely.' }, () => ({
        content: [{ type: 'text', text: 'this tool always fails' }],
        isError: true
    }));

    server.registerTool('crash', { description: 'Takes the whole process down in the middle of the call.' }, () => {
        process.stderr.write('about to crash\nreason: asked to\n');
        process.exit(7);
    });
}

// --- A prompt and a resource that ask -------------------------------------------------------------------------------

function addPromptAndResource(server) {
    server.registerPrompt('ask_prompt', { description: 'Asks one form before the prompt is written.' }, (ctx) => {
        const requests = { step: step('What is the prompt about?') };
        const answers = answersTo(requests, ctx);
        if (!answers) return inputRequired({ inputRequests: requests });
        return { messages: [{ role: 'user', content: { type: 'text', text: JSON.stringify(answers.step) } }] };
    });

    const metadata = { description: 'Asks one form before the resource is read.', mimeType: 'application/json' };
    server.registerResource('ask_resource', 'ask://resource', metadata, (uri, ctx) => {
        const requests = { step: step('What do you want of resource?') };
        const answers = answersTo(requests, ctx);
        if (!answers) return inputRequired({ inputRequests: requests });
        return { contents: [{ uri: uri.href, mimeType: 'application/json', text: JSON.stringify(answers.step) }] };
    });
}

function makeServer() {
    const server = new McpServer(
        { name: 'askback-typescript-peer', version: '1.0.0' },
        { requestState: { verify: state.verify } }
    );
    addTools(server);
    addPromptAndResource(server);
    return server;
}

if (process.argv.includes('--http')) {
    await serveHttp(makeServer);
} else {
    serveStdio(makeServer);
}
