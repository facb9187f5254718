import { deepEqual, ok } from 'node:assert/strict';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { ApiError } from '../../../../../src/core/api/errors';
import type { ApiErrorInit } from '../../../../../src/core/api/errors';
import type { LocalCall, LocalRun } from '../../../../../src/core/batch/local/localRun';
import { startRun } from '../../../../../src/core/batch/local/startRun';
import { createRandom } from '../../../../../src/core/batch/transform/transforms';
import { localOptions, localRequest, resultsOf } from '../../../../support/localRuns';
import { setUpFolder } from '../../../../support/temporaryFolder';
import { runs, seedOf } from '../../../../support/runs';

/** What a service may do with a request, and whether it then began. */
const refusals: readonly ApiErrorInit[] = [
  { kind: 'rateLimit', status: 429, limit: 'RPM', message: 'limit' },
  { kind: 'rateLimit', status: 429, limit: 'TPM', retryAfterMs: 1500, message: 'limit' },
  { kind: 'rateLimit', status: 429, limit: 'RPD', message: 'limit' },
  { kind: 'overloaded', status: 503, message: 'busy' },
  { kind: 'balance', status: 402, message: 'balance' },
  { kind: 'network', sent: false, message: 'offline' },
];
const failures: readonly ApiErrorInit[] = [
  { kind: 'badRequest', status: 400, message: 'parameter' },
  { kind: 'network', sent: true, maybeBilled: true, message: 'reset' },
  { kind: 'server', status: 500, maybeBilled: true, message: 'error' },
  { kind: 'timeout', sent: true, maybeBilled: true, message: 'silent' },
];
const rounds = runs(20, 60);
const first = seedOf(0);

describe('a run on this machine under random failures', () => {
  const files = setUpFolder();

  /** A service with a mind of its own, and what each request came to there. */
  const createService = (pick: (below: number) => number) => {
    const begun = new Map<string, number>();
    const call: LocalCall = async function* ({ body }, { signal, onAnswer }) {
      const { content } = (body['messages'] as readonly { readonly content: string }[])[0]!;
      for (let turn = pick(4); turn > 0; turn--) await new Promise((resolve) => setImmediate(resolve));
      if (signal.aborted) throw new ApiError({ kind: 'aborted', message: 'left', sent: false });
      const chance = pick(10);
      if (chance === 0) throw new ApiError(refusals[pick(refusals.length)]!);
      begun.set(content, (begun.get(content) ?? 0) + 1);
      if (chance === 1) throw new ApiError(failures[pick(failures.length)]!);
      onAnswer('request');
      yield { id: 'x', choices: [{ index: 0, delta: { content: 'Answer' } }] };
      if (pick(4) === 0) await new Promise((resolve) => setImmediate(resolve));
      if (signal.aborted) throw new ApiError({ kind: 'aborted', message: 'left', sent: true, maybeBilled: true });
      yield { id: 'x', choices: [{ index: 0, delta: { content: ` ${content}` }, finish_reason: 'stop' }], usage: {} };
    };
    return { begun, call };
  };

  it(`has one result per line in the end, and resends no answered line (${rounds} rounds)`, async () => {
    for (let round = first; round < first + rounds; round++) {
      const pick = createRandom(round);
      const count = 1 + pick(40);
      const ids = Array.from({ length: count }, (_, index) => `id-${index}`);
      const lines = ids.map((id) =>
        pick(8) === 0 ? localRequest(id).replace('"POST"', '"GET"') : localRequest(id, id),
      );
      const folder = files.in(`run-${round}`);
      const input = files.in(`requests-${round}.jsonl`);
      writeFileSync(input, lines.join('\n'));
      const { begun, call } = createService(pick);
      const brokenOff = new Set<string>();
      let now = 0;
      for (let starts = 0, isFinished = false; !isFinished; starts++) {
        ok(starts < 2000, `round ${round} does not come to an end`);
        const before = starts === 0 ? '' : readFileSync(`${folder}/output.jsonl`, 'utf8').replace(/[^\n]+$/, '');
        const running: LocalRun = await startRun({
          ...(await localOptions(folder, input)),
          call,
          concurrency: () => 1 + pick(6),
          clock: () => now,
          random: () => pick(1000) / 1000,
          sleep: async (ms) => void (now += ms),
          mayGoOn: async () => {
            const whim = pick(30);
            if (whim === 0) throw new Error('held');
            if (whim === 1) running.stop();
            else if (whim === 2) [1, 2].forEach(() => running.stop());
            else if (whim === 3) {
              running.pause();
              setImmediate(() => running.resume());
            }
          },
        });
        isFinished = (await running.ended).kind === 'finished';
        ok(readFileSync(`${folder}/output.jsonl`, 'utf8').startsWith(before), `round ${round} lost an answer`);
        const has = new Set([...resultsOf(folder).output, ...resultsOf(folder).errors].map((one) => one.custom_id));
        for (const [id, times] of begun) if (times > 0 && !has.has(id)) brokenOff.add(id);
        // As a crash may leave it.
        if (!isFinished && pick(2) === 0) appendFileSync(`${folder}/output.jsonl`, '{"id":"local_a1b2c3_1","cust');
      }
      const { output, errors } = resultsOf(folder);
      const results = [...output, ...errors].map(({ custom_id: id }) => String(id));
      deepEqual(new Set(results), new Set(ids), `round ${round}`);
      deepEqual(results.length, ids.length, `round ${round}`);
      for (const { custom_id: id, response } of output) {
        deepEqual(response?.body.choices?.[0]?.message['content'], `Answer ${id}`);
      }
      for (const [id, times] of begun)
        ok(times === 1 || brokenOff.has(id), `round ${round}: ${id} was sent ${times} times`);
    }
  }).timeout(60_000);
});
