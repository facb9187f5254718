import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { compareHandlers, resultsHandlers } from '../../../../src/features/batchResults/resultsWorker';
import type { CompareWorkerCalls, ResultsWorkerCalls } from '../../../../src/features/batchResults/resultsWorkerCalls';
import type { Handlers, Screen } from '../../../../src/protocol/call';
import { createCaller, HostError } from '../../../../src/protocol/caller';
import { createResponder } from '../../../../src/protocol/responder';
import { workerFailure } from '../../../../src/protocol/workerFailure';
import { setUpFolder } from '../../../support/temporaryFolder';

const source = {
  input: { path: 'test/fixtures/results/input.jsonl' },
  outputs: ['test/fixtures/results/output.jsonl'],
  errors: ['test/fixtures/results/errors.jsonl'],
};
const everything = { state: 'all', query: '', sort: 'line', descending: false } as const;

/** The worker's end and the host's, with nothing between them but what a message keeps. */
function backToBack<Calls extends Screen>(handlers: Handlers<Calls>) {
  const responder = createResponder<Calls>(
    handlers,
    (message) => caller.receive(structuredClone(message)),
    workerFailure,
  );
  const caller = createCaller<Calls>((message) => void responder.receive(structuredClone(message)));
  return caller;
}

describe('The results worker', () => {
  const folder = setUpFolder();

  it('returns the table, its rows, and files created from it', async () => {
    const worker = backToBack<ResultsWorkerCalls>(resultsHandlers(source));
    const summary = await worker.call('load', {});
    assert.equal(summary.requests, 26);
    assert.deepEqual(await worker.call('arrange', { ...everything, state: 'failed' }), { count: 8, entries: 8 });
    const { rows, isChanged } = await worker.call('rows', { from: 5, count: 10 });
    assert.deepEqual(
      [rows.map(({ customId }) => customId), isChanged],
      [['error-text', 'nothing', 'code-alone'], false],
    );
    const [first] = rows;
    assert.deepEqual(await worker.call('find', { row: first!.row }), { index: 5 });
    assert.deepEqual(await worker.call('find', { row: 0 }), {});
    assert.equal((await worker.call('details', { row: first!.row })).details.failure?.message, 'service overloaded');
    const { rows: known } = await worker.call('answersFor', { lines: [{ customId: 'plain' }, { customId: 'nobody' }] });
    assert.deepEqual(
      known.map((row) => row?.answer ?? null),
      ['Paris.', null],
    );
    assert.equal(
      (await worker.call('answerFor', { line: { customId: 'plain' } })).details?.choices[0]?.text.text,
      'Paris.',
    );
    assert.deepEqual(await worker.call('answerFor', { line: { customId: 'nobody' } }), {});
    const target = folder.in('retry.jsonl');
    const { requests } = await worker.call('retry', { which: 'unanswered', target, replace: false });
    assert.deepEqual([requests, readFileSync(target, 'utf8').trimEnd().split('\n').length], [10, 10]);
    const exported = await worker.call('export', {
      format: 'csv',
      what: 'shown',
      target: folder.in('all.csv'),
      replace: false,
    });
    assert.equal(exported.rows, 8);
  });

  it("rejects with a readable message if a file can't be created", async () => {
    const worker = backToBack<ResultsWorkerCalls>(resultsHandlers(source));
    await worker.call('load', {});
    writeFileSync(folder.in('mine'), '');
    const order = { format: 'csv', what: 'all', target: folder.in('mine'), replace: false } as const;
    await assert.rejects(worker.call('export', order), (error) => {
      assert.ok(error instanceof HostError);
      assert.equal(error.error.kind, 'MakingError');
      assert.equal(error.error.title, "mine already exists and wasn't overwritten.");
      return true;
    });
  });

  it('compares runs', async () => {
    const worker = backToBack<CompareWorkerCalls>(compareHandlers([source, { ...source, errors: [] }]));
    const { runs, columns } = await worker.call('load', {});
    assert.deepEqual([runs.map(({ failed }) => failed), columns.by], [[8, 5], 'run:answer']);
    const view = { ...everything, reference: 0, by: columns.by, state: 'unanswered', isLoose: true } as const;
    const { count, entries, comparison } = await worker.call('arrange', view);
    assert.deepEqual([count, entries, comparison.same, comparison.unanswered], [12, 12, 14, 12]);
    const { rows } = await worker.call('rows', { from: 0, count, columns: ['run:answer'] });
    const expired = rows.find(({ customId }) => customId === 'expired');
    assert.deepEqual(
      Object.values(expired?.cells ?? {}).map(({ state }) => state),
      ['expired', 'missing'],
    );
    const { answers } = await worker.call('details', { row: expired!.row });
    assert.deepEqual(
      answers.map(({ pieces }) => pieces),
      [[], []],
    );
  });
});
