// Prints what JavaScript libraries make of the schemas that server authors write, as fixtures for the form reader.
//
// Each case is one line of an author's code, and that very line is run: fixtures tell what a library does, not what someone remembers of it.
// `node schemas.mjs FOLDER` writes zod.json, zod-3.json and typescript-sdk.json there.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inputRequired } from '@modelcontextprotocol/server';
import { z as z4 } from 'zod';
import { z as z3 } from 'zod3';
import { zodToJsonSchema } from 'zod-to-json-schema';

/** What several cases use; shown with them, and run as it stands. */
const given = `const Size = z.enum(['S', 'M', 'L']);
const Address = z.object({ street: z.string(), zip: z.string() });
const Level = { Low: 1, High: 2 };`;

/** One property each: its name here, and the author's code for it. Those marked with 4 are not in zod 3. */
const properties = [
    ['text', 'z.string()'],
    ['text with words about it', "z.string().meta({ title: 'Your name', description: 'As on the ticket' })", 4],
    ['described text', "z.string().describe('As on the ticket')"],
    ['text of limited length', 'z.string().min(2).max(40)'],
    ['text of exact length', 'z.string().length(6)'],
    ['text that is not empty', 'z.string().nonempty()'],
    ['trimmed text', 'z.string().trim().min(1)'],
    ['pattern', 'z.string().regex(/^[A-Z]{3}-\\d+$/)'],
    ['beginning and end', "z.string().startsWith('ORD-').endsWith('-EU')"],
    ['lower case text', 'z.string().toLowerCase()'],
    ['e-mail', 'z.email()', 4],
    ['e-mail, older spelling', 'z.string().email()'],
    ['address of a page', 'z.url()', 4],
    ['address of a page, older spelling', 'z.string().url()'],
    ['UUID', 'z.uuid()', 4],
    ['UUID, older spelling', 'z.string().uuid()'],
    ['date', 'z.iso.date()', 4],
    ['date, older spelling', 'z.string().date()'],
    ['time', 'z.iso.time()', 4],
    ['date with time', 'z.iso.datetime()', 4],
    ['date with time, older spelling', 'z.string().datetime()'],
    ['date with time and offset', 'z.iso.datetime({ offset: true })', 4],
    ['duration', 'z.iso.duration()', 4],
    ['IP address', 'z.ipv4()', 4],
    ['base64', 'z.base64()', 4],
    ['phone number', 'z.e164()', 4],
    ['number', 'z.number()'],
    ['whole number', 'z.number().int()'],
    ['whole number, newer spelling', 'z.int()', 4],
    ['whole number within bounds', 'z.number().int().min(1).max(10)'],
    ['positive number', 'z.number().positive()'],
    ['whole number that is not negative', 'z.number().int().nonnegative()'],
    ['number in steps', 'z.number().multipleOf(0.5)'],
    ['number read from text', 'z.coerce.number()'],
    ['32-bit number', 'z.int32()', 4],
    ['yes or no', 'z.boolean()'],
    ['yes or no, default no', 'z.boolean().default(false)'],
    ['consent', 'z.literal(true)'],
    ['text, default empty', "z.string().default('')"],
    ['number, default zero', 'z.number().default(0)'],
    ['optional text', 'z.string().optional()'],
    ['optional number', 'z.number().min(0).max(5).optional()'],
    ['text or null', 'z.string().nullable()'],
    ['optional text or null', 'z.string().email().nullish()'],
    ['choice', "z.enum(['S', 'M', 'L'])"],
    ['choice with a default', "z.enum(['S', 'M', 'L']).default('M')"],
    ['optional choice', 'Size.optional()'],
    ['choice or null', 'Size.nullable()'],
    ['numeric enum', 'z.nativeEnum(Level)'],
    ['constant', "z.literal('v1')"],
    ['several constants', "z.literal(['a', 'b', 3])", 4],
    ['union of constants', "z.union([z.literal('a'), z.literal('b')])"],
    ['union of titled constants', "z.union([z.literal('s').meta({ title: 'Small' }), z.literal('l').meta({ title: 'Large' })])", 4],
    ['list of choices', 'z.array(Size)'],
    ['list of choices within limits', 'z.array(Size).min(1).max(2)'],
    ['list of choices with a default', "z.array(Size).default(['S'])"],
    ['optional list of choices', 'z.array(Size).optional()'],
    ['set of choices', 'z.set(Size)', 3],
    ['list of text', 'z.array(z.string())'],
    ['list of numbers', 'z.array(z.number().int()).max(3)'],
    ['pair', 'z.tuple([z.number(), z.number()])'],
    ['object within', 'Address'],
    ['list of objects', 'z.array(Address)'],
    ['map', 'z.record(z.string(), z.number())'],
    ['text or number', 'z.union([z.string(), z.number()])'],
    ['e-mail or empty', "z.union([z.literal(''), z.string().email()])"],
    ['anything', 'z.any()'],
    ['read only text', 'z.string().readonly()'],
    ['text with a rule of its own', "z.string().refine((value) => value !== 'root')"],
    ['text that falls back', "z.string().catch('none')"],
    ['branded text', "z.string().brand('OrderId')"],
    ['discriminated union', "z.discriminatedUnion('by', [z.object({ by: z.literal('card'), last4: z.string() }), z.object({ by: z.literal('cash') })])"]
];

/** Whole schemas: how properties stand together. */
const wholes = [
    ['no fields', 'z.object({})'],
    ['nothing but what is listed', 'z.strictObject({ name: z.string() })', 4],
    ['nothing but what is listed, older spelling', 'z.object({ name: z.string() }).strict()'],
    ['anything besides', 'z.looseObject({ name: z.string() })', 4],
    ['all optional', 'z.object({ name: z.string(), size: Size }).partial()'],
    ['one schema used twice', "z.object({ from: Size, to: Size.describe('After washing') })"],
    ['a schema with an id', "z.object({ size: z.enum(['S', 'M']).meta({ id: 'Size', title: 'Size' }) })", 4],
    ['two schemas together', 'z.intersection(z.object({ a: z.string() }), z.object({ b: z.number() }))'],
    ['booking', "z.object({ name: z.string().min(1), nights: z.number().int().min(1).max(30).default(2), breakfast: z.boolean().default(false), room: z.enum(['single', 'double']), extras: z.array(z.enum(['cot', 'desk'])).max(2).optional() })"]
];

const evaluated = (z, code) => new Function('z', `${given}
return ${code};`)(z);

/** Fixtures of all cases; those that the library itself refuses are no fixtures, as no client will ever see them. */
function run(z, era, convert) {
    const wanted = ([, , only]) => only === undefined || only === era;
    const cases = [
        ...properties.filter(wanted).map(([name, code]) => [name, `z.object({ value: ${code} })`, code]),
        ...wholes.filter(wanted).map(([name, code]) => [name, code, code])
    ];
    const fixtures = [];
    const refused = [];
    for (const [name, whole, source] of cases) {
        try {
            fixtures.push({ name, source, schema: convert(evaluated(z, whole)) });
        } catch (error) {
            refused.push({ name, source, why: error.message.split('\n')[0].slice(0, 200) });
        }
    }
    return { fixtures, refused };
}

const version = (name) => JSON.parse(readFileSync(new URL(`node_modules/${name}/package.json`, import.meta.url))).version;

const elicit = (schema) => inputRequired.elicit({ message: 'm', requestedSchema: schema }).params.requestedSchema;

const outputs = [
    ['zod.json', { library: 'zod', version: version('zod'), how: 'z.toJSONSchema(z.object({ value: … }))' }, run(z4, 4, z4.toJSONSchema)],
    [
        'zod-3.json',
        { library: 'zod 3 with zod-to-json-schema', version: `${version('zod3')} with ${version('zod-to-json-schema')}`, how: 'zodToJsonSchema(z.object({ value: … }))' },
        run(z3, 3, (schema) => zodToJsonSchema(schema))
    ],
    [
        'typescript-sdk.json',
        { library: '@modelcontextprotocol/server', version: version('@modelcontextprotocol/server'), how: 'inputRequired.elicit({ message, requestedSchema: z.object({ value: … }) })' },
        run(z4, 4, elicit)
    ]
];
for (const [file, about, found] of outputs) {
    writeFileSync(join(process.argv[2], file), `${JSON.stringify({ ...about, given, ...found }, null, 2)}\n`);
    console.log(`${file}: ${found.fixtures.length} fixtures, ${found.refused.length} refused by the library`);
}
