import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { sampleBatchFile } from '../../../../src/core/batch/job/estimateFileTokens';
import { tokensPerImage } from '../../../../src/core/tokens/countTokens';
import { setUpFolder } from '../../../support/temporaryFolder';

const request = (content: unknown) =>
  JSON.stringify({ custom_id: 'a', body: { messages: [{ role: 'user', content }] } });

describe('the tokens of a batch file', () => {
  const folder = setUpFolder();
  const estimate = async (text: string) => {
    await writeFile(folder.in('file.jsonl'), text);
    return (await sampleBatchFile(folder.in('file.jsonl'))).tokens;
  };

  it('are those of its messages', async () => {
    const one = (await estimate(`${request('Sort the message.')}\n`)) ?? 0;
    ok(one >= 6 && one <= 10, String(one));
    equal(await estimate(`${request('Sort the message.')}\n`.repeat(10)), one * 10);
    equal(await estimate(`${request('Sort the message.')}\n`.repeat(9) + request('Sort the message.')), one * 10);
  });

  it('are estimated from the beginning of a long file', async () => {
    const line = `${request('Sort the message of the customer who wrote in March.')}\n`;
    const one = (await estimate(line)) ?? 0;
    const all = (await estimate(line.repeat(20_000))) ?? 0;
    ok(Math.abs(all / (one * 20_000) - 1) < 0.01, `${all} for ${one * 20_000}`);
  });

  it('exclude invalid requests, and the bytes of images', async () => {
    const picture = [{ type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(4000)}` } }];
    equal(await estimate(`${request(picture)}\n`), tokensPerImage + 4);
    equal(await estimate('no JSON\n\n{"body":1}\n[]\n'), undefined);
    equal(await estimate(''), undefined);
    equal(await estimate(request('x'.repeat(400_000))), undefined);
    await rejects(sampleBatchFile(folder.in('none')), { code: 'ENOENT' });
  });

  it('are returned with the models of the lines that were read', async () => {
    const of = (model: unknown) => `${JSON.stringify({ custom_id: 'a', body: { model, input: 'x' } })}\n`;
    await writeFile(folder.in('file.jsonl'), of('a/small') + of('b/large') + of('a/small') + of(7));
    const { models, isWhole, tokens } = await sampleBatchFile(folder.in('file.jsonl'));
    deepEqual([models, isWhole, tokens], [['a/small', 'b/large'], true, 4]);
    await writeFile(folder.in('file.jsonl'), of('a/small').repeat(10_000) + of('b/large'));
    const long = await sampleBatchFile(folder.in('file.jsonl'));
    deepEqual([long.models, long.isWhole], [['a/small'], false]);
  });

  it('are returned per model, with the maximum for the responses', async () => {
    const line = (model: string, body: object) =>
      `${JSON.stringify({ custom_id: 'a', body: { model, messages: [{ role: 'user', content: 'one two' }], ...body } })}\n`;
    const limited = line('a', { max_tokens: 100 }) + line('a', { max_completion_tokens: 50, n: 2 });
    await writeFile(folder.in('file.jsonl'), limited + line('b', {}));
    const { shares } = await sampleBatchFile(folder.in('file.jsonl'));
    deepEqual(shares, [
      { model: 'a', requests: 2, inputTokens: 12, outputLimit: 200 },
      { model: 'b', requests: 1, inputTokens: 6, outputLimit: undefined },
    ]);
    await writeFile(folder.in('file.jsonl'), limited.repeat(5000));
    const [share] = (await sampleBatchFile(folder.in('file.jsonl'))).shares;
    ok(Math.abs(share!.requests / 10_000 - 1) < 0.01 && Math.abs(share!.outputLimit! / 1_000_000 - 1) < 0.01);
  });
});
