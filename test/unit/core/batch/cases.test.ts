import { deepEqual, ok } from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkFile } from '../../../../src/core/batch/disk/checkFile';
import type { ListedModels } from '../../../../src/core/batch/fileRules';
import { createBatchIndex } from '../../../../src/core/batch/index/batchIndex';
import { defaultSeverities, type LineProblem } from '../../../../src/core/batch/problem';
import type { BatchRules } from '../../../../src/core/batch/services/batchRules';
import { setUpFolder } from '../../../support/temporaryFolder';
import { batchServiceNamed, batchServiceOf } from '../../../../src/core/batch/services/batchServiceOf';

/** A batch file with a problem that people met at real services, and what the check of it has to find. */
interface CheckCase {
  readonly about: string;
  /** A file beside the cases, or its lines: texts as they are, anything else as JSON. */
  readonly file?: string;
  readonly lines?: readonly unknown[];
  /** The name of a service, or its base URL. */
  readonly service: string;
  /** What a list says of the models. */
  readonly models?: readonly (readonly [string, object])[];
  /** Each as line, severity and code; several lines with the same problem in one. */
  readonly finds: readonly string[];
  /** Parts of the messages. */
  readonly says?: readonly string[];
}

const folder = 'test/cases/batch/check';
const cases = JSON.parse(readFileSync(join(folder, 'cases.json'), 'utf8')) as readonly CheckCase[];

function found(problems: readonly LineProblem[], { severities }: BatchRules): readonly string[] {
  const lines = new Map<string, number[]>();
  for (const { code, line } of problems) {
    const severity = severities[code] ?? defaultSeverities[code];
    if (severity === 'off') continue;
    const kind = `${severity} ${code}`;
    lines.set(kind, [...(lines.get(kind) ?? []), line + 1]);
  }
  return [...lines].map(([kind, all]) => `${[...new Set(all)].join(',')} ${kind}`);
}

describe('batch files that real services rejected or accepted', () => {
  const written = setUpFolder();
  const pathOf = ({ file, lines = [] }: CheckCase) => {
    if (file !== undefined) return join(folder, file);
    const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
    writeFileSync(written.in('requests.jsonl'), texts.map((text) => `${text}\n`).join(''));
    return written.in('requests.jsonl');
  };

  for (const one of cases) {
    const { about, service, finds, says = [], models } = one;
    it(`${about} (${service})`, async () => {
      const path = pathOf(one);
      const rules = batchServiceNamed(service) ?? batchServiceOf(service);
      const listed: ListedModels | undefined = models && new Map(models);
      const problems: LineProblem[] = [];
      const onProblem = (problem: LineProblem) => void problems.push(problem);
      await checkFile(path, { rules, onProblem, ...(listed && { models: listed }) });
      deepEqual(found(problems, rules), finds);
      for (const part of says) {
        ok(
          problems.some(({ message }) => message.includes(part)),
          `${part} is not in ${problems.map(({ message }) => message).join('\n')}`,
        );
      }
      // The name is known on disk only.
      const inFile = problems.filter(({ code }) => code !== 'file.name');
      const index = createBatchIndex(() => rules);
      index.replace(0, 0, readFileSync(path, 'utf8').split('\n'));
      deepEqual([...index.problems({ hasBom: false, hasCrlf: false }, listed)], inFile);
    });
  }

  it('have a case for each file', () => {
    const used = new Set(cases.map(({ file }) => file));
    deepEqual(
      readdirSync(folder).filter((name) => name !== 'cases.json' && !used.has(name)),
      [],
    );
  });
});
