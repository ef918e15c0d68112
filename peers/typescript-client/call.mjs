// One tool call with the official TypeScript client, as a yardstick for Askback's own: spawns a server over stdio, calls
// the tool, answers every form with the content of a JSON file, and prints the result.
//
//     node call.mjs [--legacy|--auto] [--content FILE] [--args JSON] TOOL -- COMMAND [ARGS…]
//
// Without `--legacy` or `--auto` the client is pinned to 2026-07-28: the quickest way, with no second process to probe.

import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const split = process.argv.indexOf('--');
const { values, positionals } = parseArgs({
    args: process.argv.slice(2, split < 0 ? undefined : split),
    allowPositionals: true,
    options: {
        legacy: { type: 'boolean' },
        auto: { type: 'boolean' },
        content: { type: 'string' },
        args: { type: 'string', default: '{}' }
    }
});
const [command, ...args] = split < 0 ? [] : process.argv.slice(split + 1);
if (!command || positionals.length !== 1) {
    console.error('usage: node call.mjs [--legacy|--auto] [--content FILE] [--args JSON] TOOL -- COMMAND [ARGS…]');
    process.exit(2);
}

const content = values.content ? JSON.parse(readFileSync(values.content, 'utf8')) : {};
const mode = values.legacy ? 'legacy' : values.auto ? 'auto' : { pin: '2026-07-28' };
const client = new Client(
    { name: 'askback-yardstick', version: '1.0.0' },
    { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode } }
);
client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content }));

await client.connect(new StdioClientTransport({ command, args }));
const result = await client.callTool({ name: positionals[0], arguments: JSON.parse(values.args) });
console.log(JSON.stringify(result));
await client.close();
process.exit(result.isError ? 1 : 0);
