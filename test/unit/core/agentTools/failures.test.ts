import assert from 'node:assert/strict';
import { AgentProblem } from '../../../../src/core/agentTools/agentTool';
import { ApiError } from '../../../../src/core/api/errors';
import { runTool } from '../../../support/toolHost';

const failing = (error: Error) => ({ balance: () => Promise.reject(error) });
const ask = (error: Error) => runTool('accountBalance', {}, failing(error));

describe('failures of tools', () => {
  it('explain a missing sign-in or a rejected key', async () => {
    const signedOut = await ask(new ApiError({ kind: 'auth', message: 'No key for this account.' }));
    assert.equal(signedOut.isError, true);
    assert.match(signedOut.text, /Not signed in.*Tell the user to run the command/);
    const refused = new ApiError({ kind: 'auth', status: 401, message: 'Bad key sk-secret', fromService: true });
    assert.equal((await ask(refused)).text, 'The service rejected the API key. Tell the user to enter another one.');
  });

  it('quote the service, but no URL', async () => {
    const message = 'Nothing at https://api.example.com/v1/rerank?key=1 for you';
    const { text } = await ask(new ApiError({ kind: 'server', message, fromService: true, maybeBilled: true }));
    assert.match(text, /The service reports: "Nothing at \(address\) for you"/);
    assert.match(text, /Ask the user before you repeat the request/);
  });

  it('are truncated if too long, and say so, as do results', async () => {
    const { text } = await ask(new AgentProblem('x'.repeat(10_000_000)));
    assert.match(text, /^x{48000}… \(9952000 more characters\)$/);
    const info = { data: { balance: '1'.repeat(1_000_000), totalBalance: '1'.repeat(1_000_000) } } as never;
    const worked = await runTool('accountBalance', {}, { balance: () => Promise.resolve(info) });
    assert.ok(worked.text.length < 50_000, String(worked.text.length));
  });

  it('report that an endless response was stopped', async () => {
    const error = new ApiError({ kind: 'truncated', message: 'x', hint: 'tooMuch', maybeBilled: true });
    assert.match((await ask(error)).text, /exceeded 8 MB.*You may have been charged/);
  });

  it('return expected problems, and throw unexpected ones', async () => {
    assert.deepEqual(await ask(new AgentProblem("The file doesn't exist.")), {
      text: "The file doesn't exist.",
      isError: true,
    });
    await assert.rejects(ask(new TypeError('a mistake')), { message: 'a mistake' });
  });

  it('throw the abort reason, before and during a run', async () => {
    await assert.rejects(runTool('accountBalance', {}, {}, AbortSignal.abort(new Error('stopped'))), /stopped/);
    const ending = new AbortController();
    const running = runTool(
      'accountBalance',
      {},
      { balance: () => Promise.reject(new ApiError({ kind: 'aborted', message: '' })) },
      ending.signal,
    );
    ending.abort(new Error('stopped later'));
    await assert.rejects(running, /stopped later/);
  });
});
