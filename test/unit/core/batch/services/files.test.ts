import { deepEqual, ok } from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { checkFile } from '../../../../../src/core/batch/disk/checkFile';
import { createBatchIndex } from '../../../../../src/core/batch/index/batchIndex';
import { defaultSeverities, type LineProblem, type ProblemCode } from '../../../../../src/core/batch/problem';
import { readLine } from '../../../../../src/core/batch/readLine';
import { batchServiceNamed, withStated } from '../../../../../src/core/batch/services/batchServiceOf';
import { batchServices, unknownService } from '../../../../../src/core/batch/services/batchServices';
import { runs, seedOf } from '../../../../support/runs';
import { filesFor } from '../../../../support/serviceFiles';
import { setUpFolder } from '../../../../support/temporaryFolder';

/** Of each service. */
const files = runs(1000, 20_000);
/** Every so many are checked on disk, too, which takes longest. */
const onDisk = 10;
const facts = { hasBom: false, hasCrlf: false };

describe('any batch file for a service', () => {
  const folder = setUpFolder();

  for (const rules of batchServices) {
    it(`has an error exactly on the line that ${rules.name} rejects, on disk and in the editor`, async () => {
      const path = folder.in('requests.jsonl');
      const isError = (code: ProblemCode) => (rules.severities[code] ?? defaultSeverities[code]) === 'error';
      const seen = new Set<string>();
      let checked = 0;
      const check = async (lines: readonly string[]) => {
        const index = createBatchIndex(() => rules);
        index.replace(0, 0, [...lines, '']);
        const found = [...index.problems(facts)];
        if (checked++ % onDisk > 0) return found.filter(({ code }) => isError(code));
        writeFileSync(path, `${lines.join('\n')}\n`);
        const read: LineProblem[] = [];
        await checkFile(path, { rules, onProblem: (problem) => read.push(problem) });
        deepEqual(found, read);
        return found.filter(({ code }) => isError(code));
      };
      await fc.assert(
        fc.asyncProperty(filesFor(rules), async ({ lines, wrong }) => {
          const errors = await check(lines);
          const reported = errors.map(({ line, code }) => `${line} ${code}`).join(', ');
          ok(
            errors.every(({ line }) => line === wrong?.line),
            `${wrong?.how ?? 'nothing wrong'}: ${reported}`,
          );
          ok(!wrong || errors.length > 0, `${wrong?.how}: no error`);
          seen.add(wrong?.how ?? '');
        }),
        { numRuns: files, seed: seedOf(7) },
      );
      ok(seen.size > 5, [...seen].join(', '));
    }).timeout(600_000);
  }

  it('has an error or a warning on the line beyond a limit that the service stated', async () => {
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...batchServices, unknownService).chain((rules) =>
          fc.record({
            rules: fc.constant(rules),
            file: filesFor(rules.id === 'unknown' ? batchServices[0]! : rules),
            requests: fc.integer({ min: 1, max: 7 }),
          }),
        ),
        async ({ rules, file: { lines, wrong }, requests }) => {
          if (wrong) return;
          const stated = withStated(rules, { requests });
          const index = createBatchIndex(() => stated);
          index.replace(0, 0, [...lines, '']);
          const found = [...index.problems(facts)].filter(({ code }) => code === 'file.too-many-requests');
          deepEqual(
            found.map(({ line }) => line),
            lines.length > requests ? [requests] : [],
          );
          const severity = stated.severities['file.too-many-requests'] ?? defaultSeverities['file.too-many-requests'];
          ok(severity === 'error' || severity === 'warning', severity);
          if (found.length > 0) seen.add(rules.id);
        },
      ),
      { numRuns: files, seed: seedOf(7) },
    );
    deepEqual(seen.size, batchServices.length + 1);
  }).timeout(600_000);

  it('has only universal errors at an unknown service', () => {
    const rejected = new Set<string>();
    fc.assert(
      fc.property(fc.constantFrom(...batchServices).chain(filesFor), ({ lines }) => {
        for (const text of lines) {
          for (const { code } of readLine(text, unknownService).problems) {
            if ((unknownService.severities[code] ?? defaultSeverities[code]) === 'error') rejected.add(code);
          }
        }
      }),
      { numRuns: runs(300, 3000), seed: seedOf(7) },
    );
    ok(
      [...rejected].every((code) => /^(custom-id|line)\./.test(code)),
      [...rejected].join(', '),
    );
  });

  it('has an error on a line that is too large for the service', async () => {
    const rules = batchServiceNamed('DashScope')!;
    const path = folder.in('large.jsonl');
    const line = (id: string, length: number) =>
      JSON.stringify({
        custom_id: id,
        method: 'POST',
        url: '/v1/chat/completions',
        body: { model: 'qwen-plus', messages: [{ role: 'user', content: 'é'.repeat(length / 2) }] },
      });
    const lines = [line('a', 5_999_000), line('b', 6_001_000)];
    writeFileSync(path, `${lines.join('\n')}\n`);
    const found: LineProblem[] = [];
    await checkFile(path, { rules, onProblem: (problem) => found.push(problem) });
    deepEqual(
      found.map((problem) => [problem.line, problem.code]),
      [[1, 'line.too-large']],
    );
    const index = createBatchIndex(() => rules);
    index.replace(0, 0, [...lines, '']);
    deepEqual([...index.problems(facts)], found);
  });
});
