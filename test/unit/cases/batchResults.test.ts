import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { exportResults } from '../../../src/core/batch/results/exportResults';
import { resultId } from '../../../src/core/batch/results/resultId';
import { writeRetry } from '../../../src/core/batch/results/writeRetry';
import type { ResultsSource } from '../../../src/core/batch/results/resultsSource';
import { checkResultFile } from '../../../src/core/jobs/batch/checkResultFile';
import { readResultRows } from '../../../src/core/agentTools/resultRows';
import { openTables, quiet, shownRows } from '../core/batch/results/openTable';
import { setUpFolder } from '../../support/temporaryFolder';

interface ResultsCase {
  readonly about: string;
  /** The lines of the batch file and of the results; or files beside the case. */
  readonly input?: readonly unknown[];
  readonly inputAsText?: ResultsCase['asText'];
  readonly output?: unknown;
  readonly inputFile?: string;
  readonly outputFile?: string;
  /** How the results are written: as lines if absent. */
  readonly asText?: 'pretty' | 'array-pretty' | 'array-cut' | 'spread' | 'text';
  readonly rows: readonly {
    readonly id: string;
    readonly state: string;
    readonly request: string;
    /** The beginning of the answer. */
    readonly answer: string;
    readonly finish?: string;
    readonly calls?: readonly string[];
    readonly tokens?: readonly number[];
  }[];
  /** The IDs of the requests without a response, as a retry writes them. */
  readonly retried?: readonly string[];
  /** Patterns of the notices, in any order. */
  readonly notices: readonly string[];
}

const folderOfCases = 'test/cases/batch/results';
const names = readdirSync(folderOfCases).filter((name) => name.endsWith('.json'));

describe('batch results of a real service', () => {
  const open = openTables();
  const folder = setUpFolder();

  for (const name of names) {
    const one = JSON.parse(readFileSync(path.join(folderOfCases, name), 'utf8')) as ResultsCase;
    const filesOf = () => {
      const write = (file: string, text: string) => {
        writeFileSync(folder.in(file), text);
        return folder.in(file);
      };
      const output = one.outputFile
        ? path.join(folderOfCases, one.outputFile)
        : write('output.jsonl', textOf(one.output, one.asText));
      const lines = one.input && textOf(one.input, one.inputAsText);
      const input = one.inputFile
        ? path.join(folderOfCases, one.inputFile)
        : lines === undefined
          ? undefined
          : write('input.jsonl', lines);
      return { output, input };
    };
    const sourceOf = ({ output, input }: ReturnType<typeof filesOf>): ResultsSource => ({
      ...(input !== undefined && { input: { path: input } }),
      outputs: [output],
      errors: [],
    });

    it(`are shown with their requests, responses, and states: ${name}`, async () => {
      const table = await open(sourceOf(filesOf()));
      const rows = await shownRows(table);
      for (const [index, expected] of one.rows.entries()) {
        const row = rows[index];
        assert.ok(row, `${one.about}: row ${index} is missing`);
        const { customId, state, request, answer, finish, tokensIn, tokensOut } = row;
        assert.deepEqual([customId, state, request], [expected.id, expected.state, expected.request], one.about);
        const isBeginning = expected.answer !== '' && answer.startsWith(expected.answer);
        if (!isBeginning && !answer.startsWith('{')) assert.equal(answer, expected.answer);
        if (expected.finish !== undefined) assert.equal(finish, expected.finish);
        if (expected.tokens) assert.deepEqual([tokensIn, tokensOut], expected.tokens);
        if (!expected.calls) continue;
        const [choice] = table.details(row.row).choices;
        assert.deepEqual(
          choice?.calls.map((call) => call.name),
          expected.calls,
        );
      }
      assert.equal(rows.length, one.rows.length);
      const { notices } = table.summary;
      const texts = notices.filter(({ text }) => !text.startsWith('The batch file')).map(({ text }) => text);
      for (const pattern of one.notices)
        assert.ok(
          texts.some((text) => new RegExp(pattern).test(text)),
          `${pattern}: ${texts.join('\n')}`,
        );
      assert.equal(texts.length, one.notices.length, texts.join('\n'));
    });

    it(`are the same in an export, for tools, and after a download: ${name}`, async () => {
      const files = filesOf();
      const table = await open(sourceOf(files));
      const target = folder.in('export.jsonl');
      await exportResults(table, { format: 'jsonl', what: 'all', target, replace: true }, quiet);
      const exported = readFileSync(target, 'utf8').trimEnd().split('\n');
      assert.deepEqual(
        exported.map((line) => (JSON.parse(line) as { readonly state: string }).state),
        one.rows.map(({ state }) => state),
      );
      if (one.retried) {
        const retry = folder.in('retry.jsonl');
        await writeRetry(table, { which: 'unanswered', target: retry, replace: true }, quiet);
        const requests = readFileSync(retry, 'utf8').trimEnd().split('\n');
        assert.deepEqual(
          requests.map((line) => resultId(JSON.parse(line) as Record<string, unknown>)),
          one.retried,
        );
      }
      const { counts, isResults } = await checkResultFile(files.output);
      const own = one.rows.filter(({ state }) => state !== 'missing');
      assert.equal(isResults, own.length > 0);
      if (!own.some(({ state }) => state === 'extra') && name !== 'duplicates.json') {
        const byState = new Map<string, number>();
        for (const { state } of own) byState.set(state, (byState.get(state) ?? 0) + 1);
        assert.deepEqual(new Map(Object.entries(counts)), byState);
      }
      writeFileSync(folder.in('run.json'), JSON.stringify({ ...run, files: { output: path.basename(files.output) } }));
      if (path.dirname(files.output) !== folder.path()) return;
      const reported = await readResultRows(
        {
          folder: folder.path(),
          ...(files.input !== undefined && { input: { path: files.input } }),
          guard: async (file) => file,
        },
        { only: 'all', offset: 0, limit: 100 },
        quiet.signal,
      );
      assert.deepEqual(
        reported.rows.map(({ customId, state }) => [customId, state]),
        one.rows.map(({ id, state }) => [id, state]),
      );
      assert.ok(reported.rows.every(({ text }) => text.trim() !== ''));
    });
  }
});

const run = { version: 1, kind: 'batch', name: 'a', createdAt: 1, ended: true };

function textOf(content: unknown, as: ResultsCase['asText'] | 'lines' = 'lines'): string {
  const list = Array.isArray(content) ? (content as readonly unknown[]) : [];
  switch (as) {
    case 'text':
      return String(content);
    case 'pretty':
    case 'array-pretty':
      return JSON.stringify(content, undefined, 2);
    case 'array-cut':
      return JSON.stringify(content).slice(0, -20);
    case 'spread':
      return list.map((one) => `${JSON.stringify(one, undefined, 2)}\n`).join('');
    case 'lines':
      return list.map((one) => `${JSON.stringify(one)}\n`).join('');
  }
}
