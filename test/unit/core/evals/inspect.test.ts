import { deepEqual, equal, match, throws } from 'node:assert/strict';
import { deflateRawSync } from 'node:zlib';
import type { EvalFiles } from '../../../../src/core/evals/evalConfig';
import { gradeCell } from '../../../../src/core/evals/graders/gradeCell';
import { cellsOf, planEval, requestOf } from '../../../../src/core/evals/evalPlan';
import { inspectText } from '../../../../src/core/evals/formats/inspect';
import { runFolderOf } from '../../../../src/core/evals/run/evalRun';
import { evalText, readEval } from '../../../../src/core/evals/readEval';

const noFiles: EvalFiles = { read: async () => ({ problem: 'missing' }) };
const header = {
  version: 2,
  status: 'success',
  eval: { task: 'capitals', task_id: 'x', model: 'openai/gpt-4o-mini' },
  plan: { name: 'plan', steps: [{ solver: 'generate', params: {} }] },
  results: { scores: [{ name: 'match', scorer: 'match' }] },
};
const sample = { id: 1, epoch: 1, input: 'Capital of France?', target: ' Paris', scores: { match: { value: 'C' } } };

/** A ZIP archive (PKWARE APPNOTE 6.3) of compressed files. The directory lists each file as often as `times` says. */
function zipOf(files: Readonly<Record<string, string>>, { isStored = false, times = 1 } = {}): Uint8Array {
  const [bodies, entries]: [Buffer[], Buffer[]] = [[], []];
  let at = 0;
  for (const [name, text] of Object.entries(files)) {
    const packed = isStored ? Buffer.from(text) : deflateRawSync(text);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(isStored ? 0 : 8, 8);
    local.writeUInt16LE(Buffer.byteLength(name), 26);
    local.writeUInt16LE(4, 28);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(isStored ? 0 : 8, 10);
    entry.writeUInt32LE(packed.length, 20);
    entry.writeUInt16LE(Buffer.byteLength(name), 28);
    entry.writeUInt32LE(at, 42);
    const body = Buffer.concat([local, Buffer.from(name), Buffer.alloc(4), packed]);
    bodies.push(body);
    for (let count = 0; count < times; count++) entries.push(Buffer.concat([entry, Buffer.from(name)]));
    at += body.length;
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...bodies, directory, end]);
}

describe('Inspect logs', () => {
  const read = (samples: readonly unknown[], more = {}) =>
    readEval('log.json', JSON.stringify({ ...header, ...more, samples }), noFiles);
  const expected = async (one: object, scorer = 'match') => {
    const { rows } = await read([{ ...sample, ...one }], { results: { scores: [{ name: scorer, scorer }] } });
    return rows[0]!.assertions.map(({ type, value }) => [type, value]);
  };

  it('have their samples as rows, once for all epochs, with their targets as expectations', async () => {
    const config = await read([
      sample,
      { ...sample, epoch: 2 },
      { ...sample, id: 'b', input: 'Of Japan?', target: 'Tokyo' },
    ]);
    equal(config.description, 'capitals');
    deepEqual(
      Array.from(cellsOf(planEval(config)), (cell) => requestOf(cell).body),
      ['Capital of France?', 'Of Japan?'].map((content) => ({
        model: 'gpt-4o-mini',
        messages: [{ role: 'user', content }],
      })),
    );
    deepEqual(
      config.rows.map(({ id }) => id),
      ['1', 'b'],
    );
    deepEqual(
      config.problems.map(({ kind }) => kind),
      ['information'],
    );
  });

  it('keep the system message of their plan', async () => {
    const plan = { steps: [{ solver: 'system_message', params: { template: 'Answer in one word.' } }] };
    const [cell] = cellsOf(planEval(await read([sample], { plan })));
    deepEqual(
      requestOf(cell!).body.messages.map(({ role, content }) => [role, content]),
      [
        ['system', 'Answer in one word.'],
        ['user', 'Capital of France?'],
      ],
    );
  });

  it('grade by the name of their scorer', async () => {
    deepEqual(await expected({}), [['icontains', 'Paris']]);
    deepEqual(await expected({}, 'exact'), [['equals', 'Paris']]);
    deepEqual(await expected({}, 'model_graded_qa'), [['factuality', 'Paris']]);
    deepEqual(await expected({ target: ['Paris', 'paris, FR'] }), [['icontains-any', ['Paris', 'paris, FR']]]);
    deepEqual(await expected({ target: '' }), []);
  });

  it('include the choices in the question, and expect the letter of the target', async () => {
    const config = await read([{ ...sample, choices: ['Rome', 'Paris'], target: 'B' }]);
    deepEqual(
      config.rows[0]!.assertions.map(({ type, value }) => [type, value]),
      [['regex', 'ANSWER:\\s*\\(?(?:B)\\b']],
    );
    const [cell] = cellsOf(planEval(config));
    equal(
      requestOf(cell!).body.messages[0]!.content,
      'Capital of France?\n\nA) Rome\nB) Paris\n\nEnd with a line "ANSWER: " and the letter of the right choice.',
    );
  });

  it('accept a target with choices as a letter, a text, or several letters, and never guess its meaning', async () => {
    const choices = ['Rome', 'Paris', 'Bern'];
    const passes = async (target: unknown, answers: readonly string[], own: readonly string[] = choices) => {
      const { rows } = await read([{ ...sample, choices: own, target }]);
      const [pattern] = rows[0]!.assertions.map(({ value }) => new RegExp(String(value)));
      return pattern && answers.filter((answer) => pattern.test(`So.\nANSWER: ${answer}`));
    };
    const letters = ['A', 'B', '(B)', 'B) Paris', 'C', '1', 'Paris'];
    for (const target of ['B', 'b', ' Paris ', ['B'], ['B', 'Paris']])
      deepEqual(await passes(target, letters), ['B', '(B)', 'B) Paris'], String(target));
    for (const target of ['1', 1, '0', 'D', 'Oslo', 'AD', '?', '.*', ['B', 'Oslo']])
      equal(await passes(target, letters), undefined, String(target));
    deepEqual(await passes('2', ['A', 'B', '2'], ['1', '2']), ['B']);
    for (const target of ['AC', 'A, C', ['C', 'A'], ['Rome', 'Bern']])
      deepEqual(
        await passes(target, ['A', 'AC', 'C, A', '(A) and (C).', 'A B C', 'A, C, B', 'ABC', 'B']),
        ['AC', 'C, A', '(A) and (C).'],
        String(target),
      );
    const many = Array.from({ length: 28 }, (_, index) => `choice ${index}`);
    deepEqual(await passes('2', ['2', 'B', '1'], many), ['2']);
    deepEqual(await passes('choice 26', ['1', '[', 'A'], many), ['1']);
  });

  it("expect several letters if any target has several, and name the samples that aren't graded", async () => {
    const choices = ['Rome', 'Paris'];
    const { rows, problems } = await read([
      { ...sample, choices, target: '1' },
      { ...sample, id: 'b', choices, target: 'AB' },
      { ...sample, id: 'c', choices, target: '' },
    ]);
    for (const { vars } of rows) match(String(vars.get('input')), /the letters of all right choices\.$/);
    deepEqual(problems.map(({ kind, message }) => [kind, message])[0], [
      'warning',
      "Not graded, because their target isn't one of the choices: 1",
    ]);
    const all = await read(Array.from({ length: 30 }, (_, id) => ({ ...sample, id, choices, target: '9' })));
    match(all.problems[0]!.message, /: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, …$/);
  });

  it('use the messages of a conversation as input, or its text below another system message', async () => {
    const input = [
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Hi' },
          { type: 'image', image: 'x' },
        ],
      },
    ];
    const plan = { steps: [{ solver: 'system_message', params: { template: 'Answer.' } }] };
    const { rows } = await read([{ ...sample, input }], { plan });
    equal(rows[0]!.vars.get('input'), 'Be brief.\n\nHi');
    const [cell] = cellsOf(planEval(await read([{ ...sample, input }])));
    deepEqual(requestOf(cell!).body.messages, [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hi' },
    ]);
  });

  it('compare the last number with a numeric target if their scorer does', async () => {
    const results = { scores: [{ name: 'match', params: { location: 'end', numeric: true } }] };
    const one = { ...sample, target: '4' };
    const gradedBy = async (part: object, text: string) => {
      const [cell] = cellsOf(planEval(await read([one], part)));
      const response = { text, calls: [], isTruncated: false, isRefused: false };
      return gradeCell(cell!, response, () => undefined).result;
    };
    const passes = async (part: object, text: string) => {
      const result = await gradedBy(part, text);
      return 'pass' in result && result.pass;
    };
    deepEqual(
      [await passes({ results }, 'So 4'), await passes({ results }, 'So 14'), await passes({}, 'So 14')],
      [true, false, true],
    );
  });

  it('are errors without samples', async () => {
    for (const samples of [[], [7], undefined])
      equal((await read(samples as readonly unknown[])).problems[0]!.message, 'The log has no samples.');
  });

  it('are read from an archive, also one that was interrupted', async () => {
    const files = { '_journal/start.json': JSON.stringify(header), 'samples/1_epoch_1.json': JSON.stringify(sample) };
    for (const more of [{}, { 'header.json': JSON.stringify(header), 'summaries.json': '[]' }]) {
      const text = await evalText('log.eval', zipOf({ ...files, ...more }));
      const { rows, providers } = await readEval('log.eval', text, noFiles);
      deepEqual([rows.length, providers[0]!.model], [1, 'gpt-4o-mini']);
    }
  });

  it('have a separate run folder', () => {
    deepEqual(['/a/log.eval', '/a/log.json'].map(runFolderOf), ['/a/log.eval.eval', '/a/log.eval']);
  });

  it("aren't read from a file that isn't an archive, or unpacks to too much", () => {
    for (const bytes of [Buffer.from('no archive at all, but longer than its end'), Buffer.alloc(3)])
      throws(() => inspectText(bytes), /The file isn't a ZIP archive\./);
    const tooLarge = /The file is larger than 50 MB\./;
    throws(() => inspectText(zipOf({ 'samples/1_epoch_1.json': ' '.repeat(60_000_000) })), tooLarge);
    const block = { 'samples/1_epoch_1.json': ' '.repeat(200_000) };
    throws(() => inspectText(zipOf(block, { isStored: true, times: 4000 })), tooLarge);
    throws(() => inspectText(zipOf(block, { times: 4000 })), tooLarge);
  });

  it("aren't read from an archive with outside locations or damaged data", () => {
    const file = { 'samples/1_epoch_1.json': JSON.stringify(sample) };
    const changed = (from: number, put: (archive: Buffer, at: number) => void, options = {}) => {
      const archive = Buffer.from(zipOf(file, options));
      put(archive, archive.length + from);
      return () => inspectText(archive);
    };
    const entry = -22 - 46 - Object.keys(file)[0]!.length;
    for (const value of [0xfffffff0, 1_000_000]) {
      const place = (archive: Buffer, at: number) => archive.writeUInt32LE(value, at);
      throws(changed(-22 + 16, place), /^Error: The file isn't a ZIP archive\.$/);
      throws(changed(entry + 42, place), /^Error: The file isn't a ZIP archive\.$/);
    }
    throws(
      changed(-22 + 10, (archive, at) => archive.writeUInt16LE(9, at)),
      /^Error: The file isn't a ZIP archive\.$/,
    );
    throws(
      changed(entry + 10, (archive, at) => archive.writeUInt16LE(8, at), { isStored: true }),
      /^Error: The file isn't a ZIP archive\.$/,
    );
  });
});
