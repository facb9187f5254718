import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { createBatchIndex } from '../../../../src/core/batch/index/batchIndex';
import type { ListedModels } from '../../../../src/core/batch/fileRules';
import { createLineFacts } from '../../../../src/core/batch/index/lineFacts';
import { readLine } from '../../../../src/core/batch/readLine';
import { inEditor, onDisk, toText } from './faces';
import { runs } from '../../../support/runs';
import { anyText } from '../../../support/anyText';

const plainFacts = { hasBom: false, hasCrlf: false };

/** Lines near to good ones: those are where a mistake would hide. */
const request = fc.record(
  {
    custom_id: fc.oneof(fc.constantFrom('a', 'b', 'c'), fc.string(), fc.integer()),
    method: fc.constantFrom('POST', 'GET', 7),
    url: fc.constantFrom('/v1/chat/completions', '/v1/messages'),
    body: fc.record(
      {
        model: fc.constantFrom('m1', 'm1', 'm1', 'm2', 'm3', '', 3),
        messages: fc.array(
          fc.record(
            {
              role: fc.constantFrom('user', 'user', 'assistant', 'system', 'tool', 'human'),
              content: fc.oneof(anyText(), fc.constant(null), fc.jsonValue({ maxDepth: 2 })),
            },
            { requiredKeys: [] },
          ),
          { maxLength: 3 },
        ),
        temperature: fc.oneof(fc.double({ noNaN: true }), fc.constantFrom(0, 1, 2, 0.7, 2.000000001)),
        top_k: fc.integer({ min: -2, max: 60 }),
        max_tokens: fc.oneof(fc.integer(), fc.constantFrom(1, 512, 1e21)),
        stream: fc.boolean(),
        'stop\n': fc.jsonValue({ maxDepth: 1 }),
      },
      { requiredKeys: ['messages'] },
    ),
    extra: fc.jsonValue({ maxDepth: 2 }),
  },
  { requiredKeys: ['custom_id', 'body'] },
);
const good = fc
  .tuple(fc.nat(5), anyText(), fc.double({ min: 0, max: 2, noNaN: true }), fc.nat(60))
  .map(([id, content, temperature, top_k]) =>
    JSON.stringify({
      custom_id: `id-${id}`,
      method: 'POST',
      url: '/v1/chat/completions',
      body: { model: 'm1', messages: [{ role: 'user', content }], temperature, top_k },
    }),
  );
/** A text with one place changed, so that it may or may not be JSON still. */
const damaged = (texts: fc.Arbitrary<string>) =>
  fc
    .tuple(
      texts,
      fc.nat(),
      fc.nat(3),
      fc.constantFrom('', '"', '\\', '{', ']', ',', ' ', '\t', '0', 'u', '\\ud83d', '\u0001', '\u00a0'),
    )
    .map(([text, at, removed, put]) => {
      const place = text.length === 0 ? 0 : at % text.length;
      return text.slice(0, place) + put + text.slice(place + removed);
    });
const requestText = request.map((value) => JSON.stringify(value));
const line = fc
  .oneof(
    good,
    good,
    requestText,
    damaged(good),
    damaged(requestText),
    fc.json(),
    fc.constantFrom('', ' ', 'null', '{}'),
  )
  .map((text) => text.replace(/[\r\n]/g, ' '));

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe('Any batch file', () => {
  it('has valid lines exactly where JSON.parse accepts them', () => {
    fc.assert(
      fc.property(line, (text) => {
        if (text.trim() === '') return;
        const says = !readLine(text).problems.some(({ code }) => code === 'line.not-json');
        assert.equal(says, isJson(text));
      }),
      { numRuns: runs(1500, 3000) },
    );
  });

  it('has no problems in a line that the fast path accepts', () => {
    const read = createLineFacts();
    let recognised = 0;
    fc.assert(
      fc.property(fc.oneof(good, damaged(good)), (text) => {
        const facts = read(text.replace(/[\r\n]/g, ' '));
        if (!facts.isClean) return;
        recognised++;
        const { problems, customId, model } = readLine(facts.text);
        assert.deepEqual(problems, []);
        assert.equal(facts.customId, customId?.value);
        assert.equal(facts.model, model?.value);
      }),
      { numRuns: runs(1500, 3000) },
    );
    assert.ok(recognised > runs(250, 500), `only ${recognised} lines were recognised`);
  });

  it('has the same problems on disk and in the editor', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'batch-'));
    const file = path.join(folder, 'file.jsonl');
    try {
      await fc.assert(
        fc.asyncProperty(
          fc.array(line, { maxLength: 12 }),
          fc.boolean(),
          fc.boolean(),
          async (lines, isEnded, hasBom) => {
            const text = `${hasBom ? '\ufeff' : ''}${lines.join('\n')}${isEnded ? '\n' : ''}`.replace(/\p{Cs}/gu, '?');
            fc.pre(!text.includes('\0'));
            writeFileSync(file, text);
            const listed: ListedModels = new Map([
              ['m1', {}],
              ['m3', { jobs: [] }],
            ]);
            assert.deepEqual((await onDisk(file, listed)).problems, inEditor(text, listed));
          },
        ),
        { numRuns: runs(100, 400) },
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('has the same problems after any edits as after a fresh read', () => {
    const edit = fc.tuple(fc.nat(), fc.nat(4), fc.array(line, { maxLength: 4 }));
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 12 }), fc.array(edit, { maxLength: 8 }), (first, edits) => {
        const lines = [...first];
        const index = createBatchIndex();
        index.replace(0, 0, lines);
        for (const [at, count, added] of edits) {
          const start = at % (lines.length + 1);
          const removed = Math.min(count, lines.length - start);
          lines.splice(start, removed, ...added);
          index.replace(start, removed, added);
          if (lines.length === 0) continue;
          const anew = createBatchIndex();
          anew.replace(0, 0, lines);
          assert.deepEqual([...index.problems(plainFacts)].map(toText), [...anew.problems(plainFacts)].map(toText));
          assert.deepEqual(index.summary(plainFacts), anew.summary(plainFacts));
        }
      }),
      { numRuns: runs(100, 400) },
    );
  });
});
