import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { defaultSeverities } from '../../../../src/core/batch/problem';
import type { ProblemCode } from '../../../../src/core/batch/problem';
import { checkFile } from '../../../../src/core/batch/disk/checkFile';
import { checkBatchFile, filledLines, readLine } from '../../../../src/demo/batch/runBatch';
import { catalogue } from '../../../../src/demo/catalogue';
import { readChatRequest } from '../../../../src/demo/endpoints/chatRequest';
import { Refusal } from '../../../../src/demo/refusal';
import { runs } from '../../../support/runs';

/** It thinks, and gives up to so many tokens: of those bounds, which each model has for itself, the check knows nothing. */
const model = 'moonshotai/Kimi-K2-Thinking';
const mostTokens = 32_768;
const listed = new Map(catalogue.map(({ id, subType }) => [id, subType === 'chat' ? {} : { jobs: [] }]));
const whole = -1;

/** The lines, from 0, the demo service refuses; `whole`: the file, for no line's sake. */
async function refusedBy(file: string): Promise<ReadonlySet<number>> {
  const { errors } = await checkBatchFile(file, null);
  const refused = new Set(errors.map((error) => Number(/^line (\d+)/.exec(error)?.[1] ?? whole + 1) - 1));
  for await (const { text, number } of filledLines(file)) {
    const line = readLine(text);
    if (typeof line === 'string') continue;
    try {
      readChatRequest({ ...line.body, model }, undefined);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refused.add(number - 1);
    }
  }
  return refused;
}

async function foundIn(file: string) {
  const errors: { readonly line: number; readonly code: ProblemCode }[] = [];
  await checkFile(file, {
    models: listed,
    onProblem({ line, code }) {
      // A key is not the service's business.
      if (defaultSeverities[code] === 'error' && code !== 'line.secret') errors.push({ line, code });
    },
  });
  return errors;
}

/** What stands for the whole file, on its first line. */
const ofFile: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'file.array',
  'file.spread',
  'file.empty',
  'file.bom',
  'file.not-text',
  'file.compressed',
]);

type Json = ReturnType<typeof JSON.parse>;
const plain = (id: number) => ({
  custom_id: `id-${id}`,
  method: 'POST',
  url: '/v1/chat/completions',
  body: { model, messages: [{ role: 'user', content: 'Why is the sky blue?' }] },
});
const image = { type: 'image_url', image_url: { url: 'https://example.org/a.png', detail: 'low' } };
const call = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } };
/** Everything a request may say, so that each part can be damaged. */
const full = (id: number) => ({
  ...plain(id),
  body: {
    model,
    messages: [
      { role: 'system', content: 'Be brief.', name: 'rules' },
      { role: 'user', content: [{ type: 'text', text: 'What is this?' }, image] },
      { role: 'assistant', content: null, tool_calls: [call], reasoning_content: 'Hm.' },
      { role: 'tool', content: '42', tool_call_id: 'c1' },
      { role: 'user', content: 'And now?' },
    ],
    max_tokens: 512,
    temperature: 0.7,
    top_p: 0.9,
    top_k: 50,
    min_p: 0.05,
    frequency_penalty: 0,
    presence_penalty: 0.5,
    n: 1,
    seed: 42,
    stop: ['\n\n'],
    stream: false,
    stream_options: { include_usage: true },
    response_format: { type: 'json_schema', json_schema: { name: 'a', schema: { type: 'object' }, strict: true } },
    tools: [{ type: 'function', function: { name: 'f', description: 'Counts.', parameters: {}, strict: false } }],
    tool_choice: { type: 'function', function: { name: 'f' } },
    enable_thinking: true,
    thinking_budget: 4096,
  },
});

/** The paths of all values in a value, its own not. */
function pathsIn(value: Json): readonly (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.keys(value).flatMap((key) => {
    const step = Array.isArray(value) ? Number(key) : key;
    return [[step], ...pathsIn(value[key]).map((rest) => [step, ...rest])];
  });
}

const other = fc.oneof(
  fc.constantFrom<Json>('', 'x', 'user', 'assistant', 'tool', 'auto', 'none', 'json_object', 'function', 'POST'),
  fc.constantFrom<Json>(0, 1, -1, 0.05, 0.5, 1.5, 2, 2.1, 5, 51, 100, 101, 127, 128, 129, 32_768, 32_769, 1e21),
  fc.constantFrom<Json>(
    null,
    true,
    false,
    {},
    [],
    [''],
    ['a', 'b', 'c', 'd', 'e'],
    [{}],
    { url: '' },
    { type: 'text' },
  ),
  fc.constantFrom<Json>(
    'BAAI/bge-m3',
    'Qwen/Qwen3-32B',
    'nobody/has-it',
    'x'.repeat(65),
    '{{name}}',
    [[]],
    [null],
    [3],
  ),
);
const names = ['temprature', 'max_token', 'logprobs', 'content', 'role', 'model', 'tool_calls', 'url', 'type', 'name'];

/** One place of a request is changed, taken out, renamed or added to. */
const damage = fc.record({
  at: fc.nat(),
  how: fc.constantFrom('replace', 'replace', 'replace', 'remove', 'rename', 'add'),
  value: other,
  name: fc.constantFrom(...names),
});

function damaged(
  request: Json,
  { at, how, value, name }: { at: number; how: string; value: Json; name: string },
): Json {
  const copy: Json = JSON.parse(JSON.stringify(request));
  const paths = pathsIn(copy);
  const place = paths[at % paths.length]!;
  let into = copy;
  for (const step of place.slice(0, -1)) into = into[step];
  const last = place.at(-1)!;
  if (last === 'max_tokens' && value > mostTokens) return copy;
  if (how === 'replace') into[last] = value;
  else if (Array.isArray(into)) into.splice(Number(last), how === 'remove' ? 1 : 0, ...(how === 'add' ? [value] : []));
  else if (how === 'add') into[name] = value;
  else {
    if (how === 'rename') into[name] = into[last];
    delete into[last];
  }
  return copy;
}

const request = fc
  .tuple(fc.constantFrom(plain, full), fc.nat(6), fc.array(damage, { maxLength: 2 }))
  .map(([make, id, all]) => JSON.stringify(all.reduce(damaged, make(id))));
/** What happens to texts: cut off, spread, spliced with what is no JSON. */
const torn = fc
  .tuple(request, fc.nat(), fc.nat(2), fc.constantFrom('', ',', '"', '}', ']', '\\', ' ', 'True', "'", '//x', '\t'))
  .map(([text, at, removed, put]) => {
    const place = at % text.length;
    return text.slice(0, place) + put + text.slice(place + removed);
  });
const good = fc.nat(30).map((id) => JSON.stringify(plain(id)));
const line = fc.oneof(
  { weight: 6, arbitrary: good },
  { weight: 6, arbitrary: request },
  { weight: 1, arbitrary: torn },
  { weight: 1, arbitrary: fc.constantFrom('', '  ', '{}', '[]', 'null', '{', '"a"') },
);
const file = fc.record({
  lines: fc.array(line, { minLength: 0, maxLength: 6 }),
  ending: fc.constantFrom('\n', '\n', '\n', '\r\n'),
  isEnded: fc.boolean(),
  start: fc.constantFrom('', '', '', '', '', '\ufeff', '\n'),
  encoding: fc.constantFrom<BufferEncoding>('utf8', 'utf8', 'utf8', 'utf8', 'utf8', 'utf8', 'latin1', 'utf16le'),
  accent: fc.constantFrom('', '', 'é'),
});

describe('The check of a batch file', () => {
  it('reports an error on each line that the demo service rejects, and on no other', async function () {
    this.timeout(runs(60_000, 900_000));
    const folder = mkdtempSync(path.join(tmpdir(), 'verdict-'));
    const place = path.join(folder, 'file.jsonl');
    const seen = { clean: 0, refused: 0 };
    try {
      await fc.assert(
        fc.asyncProperty(file, async ({ lines, ending, isEnded, start, encoding, accent }) => {
          const text = `${start}${lines.join(ending)}${isEnded ? ending : ''}`.replace('sky', `sky${accent}`);
          writeFileSync(place, Buffer.from(text, encoding));
          const [refused, errors] = [await refusedBy(place), await foundIn(place)];
          seen[refused.size === 0 ? 'clean' : 'refused']++;
          if (errors.some(({ code }) => ofFile.has(code))) {
            assert.notEqual(refused.size, 0);
            return;
          }
          assert.deepEqual(
            [...new Set(errors.map(({ line: at }) => at))].toSorted((a, b) => a - b),
            [...refused].toSorted((a, b) => a - b),
            `${text}\n${JSON.stringify(errors)}`,
          );
        }),
        { numRuns: runs(500, 20_000) },
      );
      assert.ok(seen.clean > runs(50, 2000) && seen.refused > runs(150, 6000), JSON.stringify(seen));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('reports an error on the first request over 5,000', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'verdict-'));
    const place = path.join(folder, 'file.jsonl');
    try {
      const write = (count: number) =>
        writeFileSync(place, Array.from({ length: count }, (_, id) => `${JSON.stringify(plain(id))}\n`).join(''));
      write(5000);
      assert.deepEqual([...(await refusedBy(place)), ...(await foundIn(place))], []);
      write(5001);
      assert.deepEqual([...(await refusedBy(place))], [whole]);
      assert.deepEqual(await foundIn(place), [{ line: 5000, code: 'file.too-many-requests' }]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
