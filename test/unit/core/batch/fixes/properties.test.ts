import assert from 'node:assert/strict';
import fc from 'fast-check';
import { endedWell, fixAll, fixSafely } from '../../../../../src/core/batch/fixes/fixAll';
import { quickFixesOf, rootOf } from '../../../../../src/core/batch/fixes/fixLine';
import { codesOf, waysFor } from '../../../../../src/core/batch/fixes/fixTable';
import { valuesIn } from '../../../../../src/core/batch/fixes/values';
import { defaultSeverities } from '../../../../../src/core/batch/problem';
import type { LineProblem } from '../../../../../src/core/batch/problem';
import { changed, finish, linesOf, namesOf, openLines, problemsOf } from './mending';
import { runs } from '../../../../support/runs';

/** Lines near to good ones, wrong in ways that people write. */
const message = fc.oneof(
  fc.record(
    {
      role: fc.constantFrom('user', 'user', 'human', 'Bot', 'tool', 7),
      content: fc.oneof(fc.string(), fc.constantFrom(null, 7, [{ type: 'text', text: 'x' }])),
      text: fc.string(),
    },
    { requiredKeys: [] },
  ),
  fc.string(),
);
const body = fc.record(
  {
    model: fc.constantFrom('m1', 'm1', 'Qwen/Qwen3-8', 7),
    messages: fc.oneof(fc.array(message, { maxLength: 3 }), message),
    prompt: fc.string(),
    temperature: fc.constantFrom(0.5, '0.5', 'warm', 9),
    stream: fc.boolean(),
    stop: fc.constantFrom('x', 7, [7]),
  },
  { requiredKeys: [] },
);
const request = fc
  .record(
    {
      custom_id: fc.constantFrom('a', 'a-2', 'b', '', 7, null),
      method: fc.constantFrom('POST', 'POST', 'GET'),
      url: fc.constantFrom('/v1/chat/completions', '/v1/messages', '/v1/responses'),
      body: fc.oneof(body, body, fc.json()),
      temperature: fc.constantFrom(0.5, 'x'),
      other: fc.string(),
      messages: fc.array(message, { maxLength: 2 }),
    },
    { requiredKeys: [] },
  )
  .map((value) => JSON.stringify(value));
const twice = request.map((text) => (text === '{}' ? text : `${text.slice(0, -1)},${text.slice(1)}`));
const damaged = fc
  .tuple(fc.oneof(request, twice), fc.nat(), fc.nat(2), fc.constantFrom('', ',', '"', '\\', '\t', '{', ' ', '\\ud83d'))
  .map(([text, at, removed, put]) => {
    const place = at % (text.length + 1);
    return text.slice(0, place) + put + text.slice(place + removed);
  });
const cut = fc.tuple(fc.oneof(request, twice), fc.nat()).map(([text, at]) => text.slice(0, at % (text.length + 1)));
const line = fc.oneof(request, request, twice, damaged, cut, fc.constantFrom('', ' ', '{"prompt":"x"}'));
const file = fc.array(line, { minLength: 1, maxLength: 6 });

/** What hides all else there is to say of a line: what comes to light then was there before. */
const hides: ReadonlySet<string> = new Set([
  'line.not-json',
  'body.not-object',
  'body.missing',
  'messages.missing',
  'messages.not-array',
  'url.unknown',
  'line.unknown-member',
  'body.unknown-member',
  'model.missing',
  'model.invalid',
  'model.mixed',
]);

const kinds = (problems: readonly LineProblem[]) => {
  const counts = new Map<string, number>();
  for (const { code } of problems) counts.set(code, (counts.get(code) ?? 0) + 1);
  return counts;
};
const assertBetter = (before: readonly LineProblem[], after: readonly LineProblem[], code: string, what: string) => {
  const [old, fresh] = [kinds(before), kinds(after)];
  assert.ok((fresh.get(code) ?? 0) < (old.get(code) ?? 0), `${code} is still said: ${what}`);
  if (hides.has(code)) return;
  for (const [kind, count] of fresh) {
    if (defaultSeverities[kind as keyof typeof defaultSeverities] !== 'error') continue;
    assert.ok(count <= (old.get(kind) ?? 0), `${kind} is new: ${what}`);
  }
};

describe('Any fix of any batch file', () => {
  it('removes its problem, and adds no error', () => {
    let mended = 0;
    fc.assert(
      fc.property(file, (lines) => {
        const index = openLines(lines);
        const problems = problemsOf(index);
        for (const problem of problems) {
          const text = lines[problem.line]!;
          for (const way of waysFor(problem.code)) {
            const target = { text, problem, root: rootOf(text), file: namesOf(index) };
            for (const { fix, lines: added } of quickFixesOf(way, target)) {
              mended++;
              const change = endedWell({ start: problem.line, removed: 1, added }, linesOf(index));
              const fixed = changed(lines, [change]);
              const what = `${fix.title}\n${lines.join('\n')}\n->\n${fixed.join('\n')}`;
              assertBetter(problems, problemsOf(openLines(fixed)), problem.code, what);
            }
          }
        }
      }),
      { numRuns: runs(60, 250) },
    );
    assert.ok(mended > runs(95, 400), `only ${mended} fixes were tried`);
  }).timeout(60_000);

  it('fixes all problems of a kind together', () => {
    let mended = 0;
    fc.assert(
      fc.property(file, (lines) => {
        const index = openLines(lines);
        const problems = problemsOf(index);
        const ways = new Set(problems.flatMap(({ code }) => waysFor(code)).filter(({ allTitle }) => allTitle));
        for (const way of ways) {
          const toFix = { lines: linesOf(index), problems, file: namesOf(index) };
          const changes = finish(fixAll(way, toFix));
          if (changes.length === 0) continue;
          mended++;
          const after = problemsOf(openLines(changed(lines, changes)));
          const codes = codesOf(way);
          const left = (all: readonly LineProblem[]) => all.filter(({ code }) => codes.has(code)).length;
          if (!way.reveals) assert.ok(left(after) < left(problems), `${way.allTitle?.()}\n${lines.join('\n')}`);
        }
      }),
      { numRuns: runs(60, 250) },
    );
    assert.ok(mended > runs(48, 200), `only ${mended} fixes were tried`);
  });

  it('leaves nothing to fix safely afterwards', () => {
    fc.assert(
      fc.property(file, (lines) => {
        const once = (texts: readonly string[]) => {
          const index = openLines(texts);
          return changed(
            texts,
            finish(fixSafely({ lines: linesOf(index), problems: problemsOf(index), file: namesOf(index) })),
          );
        };
        const fixed = once(lines);
        assert.deepEqual(once(fixed), fixed);
      }),
      { numRuns: runs(60, 250) },
    );
  });

  it('splits values without changing their meaning', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue({ maxDepth: 4 })), fc.constantFrom(0, 1, 2), (values, space) => {
        const found = valuesIn(JSON.stringify(values, undefined, space));
        assert.deepEqual(
          found,
          values.map((value) => JSON.stringify(value)),
        );
      }),
    );
  });
});
