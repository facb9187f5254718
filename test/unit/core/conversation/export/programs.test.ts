import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as fc from 'fast-check';
import { toChatBody } from '../../../../../src/core/api/chat/toChatCompletion';
import type { MessageRequest } from '../../../../../src/core/api/messages/messages.schema';
import { shellQuoted, toCurl } from '../../../../../src/core/conversation/export/curl';
import type { ExportedRequest } from '../../../../../src/core/conversation/export/exportedRequest';
import {
  jsonSyntax,
  literal,
  pythonSyntax,
  typescriptSyntax,
} from '../../../../../src/core/conversation/export/literal';
import { toPython } from '../../../../../src/core/conversation/export/python';
import { toTypeScript } from '../../../../../src/core/conversation/export/typescript';
import { firstModel, openDemo, type TestDemo } from '../../../demo/demoService';
import { startOrigin } from '../../../../support/originServer';
import { anyText } from '../../../../support/anyText';

const run = promisify(execFile);

/** What has broken programs that were made from texts. */
const hostile = [
  `it's "quoted" \\ and \\\\ \`tick\``,
  '$(touch /tmp/x) ${HOME} $HOME `id` !! %s %d {0}',
  '\'\'\'"""',
  'END_OF_REQUEST\nEND_OF_REQUEST',
  'line\r\nnext\u2028third\u2029fourth\u0085fifth',
  'tab\t nul \u0000 bell \u0007 escape \u001b[31m',
  '😀 你好 مرحبا \u202egro.live\u202c \ufeff',
  '\\u0041 \\x41 \\N{BULLET} \\',
  '*/ // <!-- </script> -->',
  'lone \ud800 surrogate',
];

const text = fc.oneof(anyText(), fc.string(), fc.constantFrom(...hostile));
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.constantFrom(null, true, false, 0, -1.5, 1e21, 1e-9),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(text, fc.constant('__proto__')), tie('any'), { maxKeys: 4 }),
  ),
})).any;

/** Skips the test, and says why, where the program does not exist. */
function needs(
  program: string,
  { test, skip }: { readonly test?: Mocha.Runnable | undefined; readonly skip: () => never },
): void {
  if (!spawnSync(program, ['--version']).error) return;
  if (test) test.title += ` (skipped: ${program} is not installed)`;
  skip();
}

describe('a conversation as a program', () => {
  let demo: TestDemo;
  let folder: string;
  before(async () => {
    demo = await openDemo();
    folder = await mkdtemp(join(tmpdir(), 'export-'));
  });
  after(async () => {
    await demo.close();
    await rm(demo.folder, { recursive: true, force: true });
    await rm(folder, { recursive: true, force: true });
  });

  const body = (question: string): MessageRequest => ({
    model: firstModel,
    max_tokens: 300,
    system: hostile.join('\n'),
    temperature: 0.5,
    stop_sequences: ["'$(END)'"],
    messages: [
      { role: 'user', content: hostile.join('\n\n') },
      { role: 'assistant', content: `${hostile[0]} ${hostile[1]}` },
      { role: 'user', content: question },
    ],
  });
  const question = `What is 12 * 12? Mind the 'quotes' and $(commands).`;

  async function answerOf(request: MessageRequest): Promise<string> {
    const { status, text: raw } = await demo.post('/messages', request);
    assert.equal(status, 200, raw);
    const { content } = JSON.parse(raw) as { content: { text?: string }[] };
    return content.map((block) => block.text ?? '').join('');
  }

  /** Runs what was written with the key in the environment. */
  async function runs(program: string, name: string, source: string): Promise<string> {
    assert.ok(!source.includes(demo.apiKey));
    const file = join(folder, name);
    await writeFile(file, source);
    const env = { ...process.env, INFERENCE_DESK_API_KEY: demo.apiKey, NODE_OPTIONS: '' };
    const { stdout } = await run(program, [file], { env });
    return stdout;
  }

  const exported = (): ExportedRequest => ({
    baseUrl: demo.baseUrl,
    path: '/messages',
    body: body(question),
    key: 'bearer',
  });

  it('gets the same answer in TypeScript', async function () {
    this.timeout(60_000);
    const stdout = await runs(process.execPath, 'ask.ts', toTypeScript(exported()));
    assert.equal(stdout, `${await answerOf(body(question))}\n`);
  });

  it('gets the same answer in Python', async function () {
    this.timeout(60_000);
    needs('python3', { test: this.test, skip: () => this.skip() });
    const stdout = await runs('python3', 'ask.py', toPython(exported()));
    assert.equal(stdout, `${await answerOf(body(question))}\n`);
  });

  it('gets the same answer in cURL', async function () {
    this.timeout(60_000);
    needs('curl', { test: this.test, skip: () => this.skip() });
    const stdout = await runs('sh', 'ask.sh', toCurl(exported()));
    const answer = (JSON.parse(stdout) as { content: { text?: string }[] }).content;
    assert.equal(answer.map((block) => block.text ?? '').join(''), await answerOf(body(question)));
  });

  it('gets an answer from /chat/completions in every language', async function () {
    this.timeout(60_000);
    const request: ExportedRequest = { ...exported(), path: '/chat/completions', body: toChatBody(body(question)) };
    const { status, text: raw } = await demo.post('/chat/completions', request.body);
    assert.equal(status, 200, raw);
    const { choices } = JSON.parse(raw) as { choices: { message: { content: string } }[] };
    const answer = `${choices[0]?.message.content}\n`;
    assert.equal(await runs(process.execPath, 'choice.ts', toTypeScript(request)), answer);
    needs('python3', { test: this.test, skip: () => this.skip() });
    assert.equal(await runs('python3', 'choice.py', toPython(request)), answer);
  });

  it('sends the key as the service requires, or none', async function () {
    this.timeout(60_000);
    const seen: IncomingHttpHeaders[] = [];
    const origin = await startOrigin((asked, response) => {
      seen.push(asked.headers);
      asked.resume().on('end', () => response.end(JSON.stringify({ content: [{ type: 'text', text: 'Hi' }] })));
    });
    try {
      for (const key of ['bearer', 'x-api-key', 'none'] as const) {
        const request: ExportedRequest = { ...exported(), baseUrl: new URL('v1', origin.url).href, key };
        seen.length = 0;
        assert.equal(await runs(process.execPath, 'key.ts', toTypeScript(request)), 'Hi\n');
        if (!spawnSync('python3', ['--version']).error) await runs('python3', 'key.py', toPython(request));
        if (!spawnSync('curl', ['--version']).error) await runs('sh', 'key.sh', toCurl(request));
        for (const { authorization, 'x-api-key': own, 'anthropic-version': version } of seen) {
          assert.deepEqual(
            { authorization, own, version },
            {
              authorization: key === 'bearer' ? `Bearer ${demo.apiKey}` : undefined,
              own: key === 'x-api-key' ? demo.apiKey : undefined,
              version: key === 'x-api-key' ? '2023-06-01' : undefined,
            },
          );
        }
      }
    } finally {
      await origin.close();
    }
  });

  it("reports that the key isn't in the environment", async () => {
    const file = join(folder, 'noKey.ts');
    await writeFile(file, toTypeScript(exported()));
    const env = { PATH: process.env['PATH'] ?? '' };
    await assert.rejects(run(process.execPath, [file], { env }), /Set INFERENCE_DESK_API_KEY/);
  });

  it("prints the service's rejection", async function () {
    this.timeout(60_000);
    needs('python3', { test: this.test, skip: () => this.skip() });
    const refused = { ...exported(), body: { ...body(question), model: 'vendor/none' } };
    await assert.rejects(runs('python3', 'refused.py', toPython(refused)), /40\d: .*code/s);
  });

  it('supports a body beyond the length limit of an argument', async function () {
    this.timeout(60_000);
    needs('curl', { test: this.test, skip: () => this.skip() });
    const large = { ...exported(), body: body(`${'word '.repeat(60_000)} What is 12 * 12?`) };
    assert.match(await runs('sh', 'large.sh', toCurl(large)), /"content"/);
  });
});

describe('a literal', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'literal-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const values = (): unknown[] => [...hostile, ...fc.sample(value, { numRuns: 300, seed: 7 })];
  const wellFormed = (data: unknown): string => JSON.stringify(data);

  async function output(program: string, name: string, source: string): Promise<string> {
    const file = join(folder, name);
    await writeFile(file, source);
    return (await run(program, [file], { maxBuffer: 64 * 1024 * 1024, env: { ...process.env, NODE_OPTIONS: '' } }))
      .stdout;
  }

  it('is the same value in JSON, with invisible and bidirectional characters escaped', () => {
    fc.assert(
      fc.property(value, (data) => {
        const written = literal(data, jsonSyntax);
        assert.equal(JSON.stringify(JSON.parse(written)), wellFormed(data));
        assert.doesNotMatch(written, /[^\P{Cc}\n]|[\u2028-\u202e\u2066-\u2069]/u);
        for (const line of written.split('\n').slice(1)) assert.match(line, /^(\s|[\]}])/);
      }),
    );
  });

  it('is the same value in TypeScript', async () => {
    const all = values();
    const source = `const all = ${literal(all, typescriptSyntax)};\nprocess.stdout.write(JSON.stringify(all));\n`;
    assert.equal(await output(process.execPath, 'values.ts', source), wellFormed(all));
  });

  it('is the same value in Python', async function () {
    this.timeout(60_000);
    needs('python3', { test: this.test, skip: () => this.skip() });
    const all = values();
    const source = `import json\nall = ${literal(all, pythonSyntax)}\nprint(json.dumps(all))\n`;
    assert.deepEqual(JSON.parse(await output('python3', 'values.py', source)), JSON.parse(wellFormed(all)));
  });

  it('is one word in a shell', async function () {
    this.timeout(60_000);
    // A shell's word holds no NUL.
    const words = fc
      .sample(text, { numRuns: 300, seed: 7 })
      .concat(hostile)
      .map((word) => Buffer.from(word.replaceAll('\u0000', '')).toString());
    const source = words.map((word) => `printf '%s\\0' ${shellQuoted(word)}`).join('\n');
    assert.deepEqual((await output('sh', 'words.sh', source)).split('\u0000').slice(0, -1), words);
  });
});
