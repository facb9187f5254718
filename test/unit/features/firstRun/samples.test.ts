import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { checkFile } from '../../../../src/core/batch/disk/checkFile';
import { defaultSeverities } from '../../../../src/core/batch/problem';
import type { LineProblem } from '../../../../src/core/batch/problem';
import { readPrompt } from '../../../../src/core/prompts/readPrompt';
import { proposeSplit, splitText } from '../../../../src/core/ranking/splitText';
import { catalogue } from '../../../../src/demo/catalogue';
import { startFilledDemo } from '../../../support/filledDemo';

const folder = 'media/samples';
const names = readdirSync(folder);
const read = (name: string) => readFileSync(path.join(folder, name), 'utf8');
const models = new Map(catalogue.map(({ id, subType }) => [id, subType === 'chat' ? {} : { jobs: [] }]));

async function problemsOf(name: string): Promise<readonly LineProblem[]> {
  const found: LineProblem[] = [];
  await checkFile(path.join(folder, name), { models, onProblem: (problem) => found.push(problem) });
  return found;
}

describe('the samples', () => {
  it('are exactly those named in their README', () => {
    const named = [...read('README.md').matchAll(/^\| `([^`]+)`/gm)].map(([, name = '']) => name);
    assert.deepEqual(named.toSorted(), names.filter((name) => name !== 'README.md').toSorted());
  });

  it('have a batch file without errors', async () => {
    assert.deepEqual(await problemsOf('requests.jsonl'), []);
  });

  it('have a batch file with a different error in each line but the first', async () => {
    const found = await problemsOf('requests-with-faults.jsonl');
    const lines = read('requests-with-faults.jsonl').trimEnd().split('\n').length;
    const faulty = [...new Set(found.map(({ line }) => line))];
    assert.deepEqual(
      faulty,
      Array.from({ length: lines - 1 }, (_, index) => index + 1),
    );
    const codes = found.map(({ code }) => code);
    assert.equal(new Set(codes).size, codes.length);
    const errors = codes.filter((code) => defaultSeverities[code] === 'error');
    assert.ok(errors.length > 5 && errors.length < codes.length);
  });

  it('have a complete prompt with a model of the demo service', () => {
    const { prompt, problems } = readPrompt(read('reply.desk.md'));
    assert.deepEqual(problems, []);
    assert.ok(models.has(prompt.model?.id ?? ''));
  });

  it('have a list of lines', () => {
    const text = read('help-articles.txt');
    assert.equal(proposeSplit(text), 'lines');
    assert.equal(splitText(text, 'lines').parts.length, 12);
  });

  it('are answered by the demo service', async () => {
    const demo = await startFilledDemo({ pace: 'instant' });
    try {
      for (const line of read('requests.jsonl').trimEnd().split('\n')) {
        const { body } = JSON.parse(line) as { readonly body: object };
        const { choices } = (await demo.call('POST', '/chat/completions', body)) as {
          readonly choices: readonly [{ readonly message: { readonly content: string } }];
        };
        assert.ok(choices[0].message.content.length > 0, line);
      }
      const documents = read('help-articles.txt').trimEnd().split('\n');
      const query = 'How do I get my money back?';
      const { results } = (await demo.call('POST', '/rerank', {
        model: 'BAAI/bge-reranker-v2-m3',
        query,
        documents,
      })) as {
        readonly results: readonly { readonly index: number }[];
      };
      assert.match(documents[results[0]?.index ?? -1] ?? '', /^Get your money back/);
    } finally {
      await demo.close();
    }
  });
});
