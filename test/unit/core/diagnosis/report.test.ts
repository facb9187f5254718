import { deepEqual, equal, match, ok } from 'node:assert/strict';
import fc from 'fast-check';
import { ApiError } from '../../../../src/core/api/errors';
import type { Exchange } from '../../../../src/core/api/exchange';
import { reportText } from '../../../../src/core/diagnosis/report';
import type { ReportSources, SettingForm } from '../../../../src/core/diagnosis/report';

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const anyOf = (text: string) => fc.constantFrom(...text.split(''));
const signs = (more: string, minLength: number, maxLength: number) =>
  fc.string({ unit: anyOf(letters + more), minLength, maxLength });
const begun = (start: string, rest: fc.Arbitrary<string>) => rest.map((text) => start + text);

/** Keys as services give them, and as people paste them. */
const keys = fc.oneof(
  begun('sk-', signs('', 20, 60)),
  begun('sk-proj-', signs('_', 20, 60)),
  begun('ghp_', signs('', 36, 36)),
  begun('AIza', signs('_-', 35, 35)),
  signs('', 24, 64),
  signs('+/', 32, 64),
  signs('-_.~', 24, 64),
  begun('pw!', signs('$()[]*+?^|\\"\'', 12, 30)),
);
/** What somebody typed or what a file is called: by signs that nothing of the program's own has. */
const typed = fc
  .string({ unit: anyOf('ÄÖÜäöüßéèñçøåłžżğş密码文件日本 '), minLength: 4, maxLength: 40 })
  .filter((text) => text.trim().length > 3);
const places = typed.chain((name) =>
  fc.constantFrom(`/home/${name}/a.txt`, `C:\\Users\\${name}\\a.txt`, `~/${name}`, `file:///${name}`, `./${name}/b`),
);

interface Planted {
  readonly key: string;
  readonly stray: string;
  readonly words: string;
  readonly place: string;
}
const planted: fc.Arbitrary<Planted> = fc.record({ key: keys, stray: keys, words: typed, place: places });

const forms: readonly SettingForm[] = [
  { kind: 'plain', default: true },
  { kind: 'plain', default: 'auto', words: ['auto', 'undici'] },
  { kind: 'plain', default: { soft: 0, hard: 0 } },
  { kind: 'amount' },
  { kind: 'path' },
  { kind: 'entries' },
  { kind: 'model', known: new Set(['vendor/model']) },
];

const exchangeWith = (part: string, id: string): Exchange => ({
  id: part,
  at: 0,
  method: 'POST',
  origin: `https://${part}`,
  isResult: true,
  path: `/${encodeURIComponent(part)}/v1/files/${part}?q=${part}&id=${id}`,
  model: part,
  stack: 'undici',
  attempts: [{ ms: 0, stack: 'undici', status: 500, errorKind: 'server' }],
  request: { headers: { authorization: part }, body: part, bytes: 3 },
  response: { status: 500, headers: { x: part }, body: part, bytes: 4 },
  events: [{ ms: 0, text: part }],
  eventCount: 1,
  durationMs: 12,
  traceId: id,
  errorKind: 'server',
  errorMessage: part,
});

function errorsWith(part: string, id: string): readonly unknown[] {
  const own = Object.assign(new TypeError(part), { code: part, path: part });
  const named = Object.assign(new Error(`ENOENT: no such file, open '${part}'`), { name: part, code: 'ENOENT' });
  const forged = new Error(`${part}\n    at f (/x/dist/extension.js:1:1)`);
  const called = new ApiError({
    kind: 'badRequest',
    message: part,
    code: part,
    endpoint: `POST /${part}/messages`,
    model: part,
    parameter: part,
    requestId: part,
    traceId: id,
    exchangeId: part,
    cause: own,
  });
  return [own, named, forged, called, part, { part }, new SyntaxError(part), new Error(`${part} is not a function`)];
}

function sourcesWith({ key, stray, words, place }: Planted): ReportSources {
  const all = [key, stray, words, place];
  return {
    known: { keys: [key], folders: [], names: [] },
    language: 'en',
    at: 0,
    versions: [['LABEL', '1.2.3'], ...[words, place, key].map((value) => ['LABEL', value] as const)],
    profiles: all.map((part) => ({
      baseUrl: `https://${encodeURIComponent(part)}:${encodeURIComponent(part)}@h.example/${part}?k=${part}`,
      isActive: true,
      key: 'missing',
    })),
    account: { status: 'failed', error: errorsWith(words, key)[3] },
    network: [['LABEL', place]],
    settings: all.flatMap((part) =>
      forms.flatMap((form) =>
        [part, { [part]: part, soft: part }, [part], [{ baseUrl: part }], null].map((value) => ({
          name: 'inferenceDesk.x',
          value,
          form,
        })),
      ),
    ),
    counts: [],
    errors: all.flatMap((part) => errorsWith(part, key)).map((error) => ({ at: 0, error })),
    calls: all.map((part) => exchangeWith(part, key)),
  };
}

/** Where a part of so many characters in a row would tell it. */
const tellingChars = 4;
function partsOf(text: string): readonly string[] {
  if (text.length <= tellingChars) return [text];
  return Array.from({ length: text.length - tellingChars + 1 }, (_, at) => text.slice(at, at + tellingChars));
}

describe('a problem report', () => {
  it('contains no key, typed text, or path from any source', () => {
    fc.assert(
      fc.property(planted, (secret) => {
        const report = reportText(sourcesWith(secret));
        for (const key of [secret.key, secret.stray]) {
          for (const spelled of [key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1)])
            ok(!report.includes(spelled), `${spelled} in ${report}`);
        }
        for (const part of [
          ...partsOf(secret.words.trim()),
          ...secret.place.split(/[/\\]/).filter((s) => /[^\x20-\x7e]/.test(s)),
        ])
          ok(!report.includes(part), `${part} in ${report}`);
      }),
      { numRuns: 300 },
    );
  });

  it('contains neither the home folder nor the names of the user and machine', () => {
    const known = { keys: [], folders: ['/home/wanda', 'C:\\Users\\Wanda'], names: ['wanda', 'desk-of-wanda'] };
    const report = reportText({
      ...sourcesWith({ key: 'k', stray: '', words: '', place: '' }),
      known,
      versions: [
        ['LABEL', '1.0 built in /home/wanda/src'],
        ['LABEL', 'kernel of Wanda'],
        ['LABEL', 'desk-of-wanda 6.1'],
      ],
    });
    ok(!/wanda/i.test(report), report);
    match(report, /- LABEL: 1\.0 built in \[folder\]\/src\n- LABEL: kernel of \[name\]\n/);
  });

  const sources: ReportSources = {
    known: { keys: ['sk-known'], folders: [], names: [] },
    language: 'en',
    at: 0,
    versions: [['Editor', 'Code 1.139.1 (web, ssh-remote)']],
    profiles: [
      { baseUrl: 'https://api.siliconflow.com/v1', isActive: true, key: 'there' },
      { baseUrl: 'http://127.0.0.1:8080/v1', isActive: false, key: 'missing' },
      { baseUrl: 'https://gateway.corp.internal/v1', isActive: false, key: 'there' },
      { baseUrl: 'https://10.1.2.3/v1', isActive: false, key: 'there' },
      { baseUrl: 'https://llm.example.com/v1', isActive: false, key: 'unneeded' },
      { baseUrl: 'nonsense', isActive: false, key: 'missing' },
    ],
    account: { status: 'ready' },
    network: [],
    settings: [
      {
        name: 'inferenceDesk.network.stack',
        value: 'undici',
        form: { kind: 'plain', default: 'auto', words: ['undici'] },
      },
      { name: 'inferenceDesk.chat.messageLimit', value: 0, form: { kind: 'plain', default: 10 } },
      {
        name: 'inferenceDesk.chat.dailyTokenBudget',
        value: { soft: 10, hard: 20, other: 'x' },
        form: { kind: 'plain', default: { soft: 0, hard: 0 } },
      },
      { name: 'inferenceDesk.account.lowBalance', value: '-1.50', form: { kind: 'amount' } },
      { name: 'inferenceDesk.ghostText.model', value: 'v/m', form: { kind: 'model', known: new Set(['v/m']) } },
      { name: 'inferenceDesk.media.folder', value: '~/pictures', form: { kind: 'path' } },
      { name: 'inferenceDesk.batch.resultsFolder', value: 'out', form: { kind: 'path' } },
      { name: 'inferenceDesk.secretFiles', value: { '**/*.key': true }, form: { kind: 'entries' } },
      { name: 'inferenceDesk.batch.answers', value: 'nowhere', form: { kind: 'plain', default: 'both', words: [] } },
    ],
    counts: [['Conversations', '12']],
    errors: [
      {
        at: 60_000,
        error: new ApiError({ kind: 'timeout', message: 'x', phase: 'idle', endpoint: 'GET /batches/{id}' }),
      },
      { at: 0, error: Object.assign(new Error('EACCES: /home/x'), { code: 'EACCES' }) },
    ],
    calls: [{ ...exchangeWith('id_123', 'ti_abc'), path: '/gateway/v1/batches/batch_9/cancel?x=1' }],
  };
  const report = reportText(sources);
  const section = (title: string) => report.split(`## ${title}\n\n`)[1]?.split('\n\n## ')[0]?.trim();

  it('starts with space for a description, and explains its purpose first', () => {
    match(
      report.split('\n## Versions')[0] ?? '',
      /^# Inference Desk: Issue Report\n\n<!-- This report hasn't been sent and contains no keys.+ -->\n\n## Description\n\n<!-- What did you do, .+ -->\n\n$/,
    );
    equal(section('Versions'), '- Editor: Code 1.139.1 (web, ssh-remote)');
  });

  it('includes the kind of host of each profile, and no URL', () => {
    equal(
      section('Account'),
      [
        '- Signed in. The service reports account information.',
        '- Active account, international service, has a key',
        '- Account, this machine, no key',
        '- Account, a private network, has a key',
        '- Account, a private network, has a key',
        '- Account, another host, no key required',
        '- Account, an invalid URL, no key',
      ].join('\n'),
    );
  });

  it("includes only setting values that can't be personal", () => {
    deepEqual(section('Settings that differ from their defaults')?.split('\n'), [
      '- `inferenceDesk.network.stack`: `"undici"`',
      '- `inferenceDesk.chat.messageLimit`: `0`',
      '- `inferenceDesk.chat.dailyTokenBudget`: `{"soft":10,"hard":20}`',
      '- `inferenceDesk.account.lowBalance`: `-1.50`',
      '- `inferenceDesk.ghostText.model`: `v/m`',
      '- `inferenceDesk.media.folder`: an absolute path',
      '- `inferenceDesk.batch.resultsFolder`: a path in the workspace',
      '- `inferenceDesk.secretFiles`: 1 entry',
      '- `inferenceDesk.batch.answers`: set (value hidden)',
    ]);
  });

  it('classifies errors by the codes that support uses, and includes calls without IDs', () => {
    const errors = section('Recent errors in this window (UTC)')?.split('\n') ?? [];
    equal(errors[1], '1970-01-01 00:01:00 timeout, GET /batches/…, timer idle');
    match(errors[2] ?? '', /^1970-01-01 00:00:00 Error, EACCES/);
    equal(
      section('Recent requests in this window (UTC), failed requests first'),
      '```text\n1970-01-01 00:00:00 POST /…/v1/batches/…/cancel, 500, 12 ms, 3 B out, 4 B in, 1 events, server, undici, trace ti_abc\n```',
    );
  });

  it("includes the engine's message and source location of a bug", () => {
    const mistake = new TypeError("Cannot read properties of undefined (reading 'secret')");
    mistake.stack = `TypeError: ${mistake.message}\n    at f (/home/x/ext/dist/chunks/chat-AB12.js:1:234)\n    at /home/x/other.js:1:1`;
    const text = reportText({ ...sources, errors: [{ at: 0, error: mistake }] });
    match(text, /TypeError, Cannot read properties of undefined, chunks\/chat-AB12\.js:1:234\n/);
  });

  it('marks empty sections', () => {
    const nothing = reportText({ ...sources, settings: [], errors: [], calls: [] });
    match(nothing, /## Settings that differ from their defaults\n\nAll settings have their default values\.\n/);
    match(nothing, /## Recent errors in this window \(UTC\)\n\nNone\n/);
    match(nothing, /## Recent requests in this window \(UTC\), failed requests first\n\nNone\n/);
    // A call that failed was no error that was noted, but none is not true either.
    ok(reportText({ ...sources, errors: [] }).includes('No further errors'));
  });
});
