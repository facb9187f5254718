import { deepEqual, equal } from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { openEvalFiles } from '../../../../src/core/evals/folderFiles';
import { readPromptfoo } from '../../../../src/core/evals/formats/promptfoo';
import { createSecretCheck } from '../../../../src/core/workspace/secretFiles';
import { setUpFolder } from '../../../support/temporaryFolder';

describe('files that an eval names by a pattern', () => {
  const temporary = setUpFolder();
  const read = async (config: string) =>
    readPromptfoo(config, await openEvalFiles(temporary.in('root'), temporary.in('root/evals')));

  beforeEach(() => {
    for (const folder of ['root/evals/tests/deep', 'root/evals/prompts', 'outside'])
      mkdirSync(temporary.in(folder), { recursive: true });
    const testOf = (name: string) => `- vars: { q: ${name} }\n`;
    for (const name of ['b', 'a']) writeFileSync(temporary.in(`root/evals/tests/${name}.yaml`), testOf(name));
    writeFileSync(temporary.in('root/evals/tests/deep/c.yaml'), testOf('c'));
    writeFileSync(temporary.in('outside/x.yaml'), testOf('x'));
    writeFileSync(temporary.in('root/evals/prompts/one.txt'), 'One {{q}}');
    writeFileSync(temporary.in('root/evals/prompts/two.txt'), 'Two {{q}}');
    writeFileSync(temporary.in('root/evals/prompts/three.py'), 'print()');
  });

  const valuesOf = async (pattern: string) => {
    const { rows, problems } = await read(`prompts: ['{{q}}']\nproviders: [openai:m]\ntests: file://${pattern}`);
    return [rows.map(({ vars }) => vars.get('q')), problems.map(({ kind, message }) => `${kind} ${message}`)];
  };

  it('are read in order', async () => {
    deepEqual(await valuesOf('tests/*.yaml'), [['a', 'b'], []]);
    deepEqual(await valuesOf('./tests/**/*.yaml'), [['a', 'b', 'c'], []]);
    deepEqual(await valuesOf('tests/?.yaml'), [['a', 'b'], []]);
  });

  it('are not read if they may hold keys, by what the user keeps out too', async () => {
    const config = `prompts: ['{{q}}']\nproviders: [openai:m]\ntests: file://tests/a.yaml`;
    const isSecret = createSecretCheck({ '**/a.yaml': true });
    const { rows, problems } = await readPromptfoo(
      config,
      await openEvalFiles(temporary.in('root'), temporary.in('root/evals'), isSecret),
    );
    deepEqual([rows.length, problems.map(({ kind }) => kind)], [0, ['error']]);
    equal((await read(config)).rows.length, 1);
  });

  it('are prompts too, of which scripts never run', async () => {
    const { prompts, problems } = await read(
      `prompts: file://prompts/*\nproviders: [openai:m]\ntests: [{ vars: { q: a } }]`,
    );
    deepEqual(
      prompts.map(({ text, canRun }) => [text, canRun]),
      [
        ['One {{q}}', true],
        ['', false],
        ['Two {{q}}', true],
      ],
    );
    deepEqual(
      problems.map(({ mark }) => mark),
      ['prompt.py'],
    );
    const bare = await read(
      `prompts: [prompts/*.txt, 'Is 2*3.5 or ?']\nproviders: [openai:m]\ntests: [{ vars: { q: a } }]`,
    );
    deepEqual(
      bare.prompts.map(({ text }) => text),
      ['One {{q}}', 'Two {{q}}', 'Is 2*3.5 or ?'],
    );
  });

  it('are reported if there are none, and never lead out of the folder', async () => {
    const none = (pattern: string) => [[], [`error No file matches ${pattern}.`]];
    deepEqual(await valuesOf('none/*.yaml'), none('none/*.yaml'));
    deepEqual(await valuesOf('../../outside/*.yaml'), none('../../outside/*.yaml'));
    symlinkSync(temporary.in('outside/x.yaml'), temporary.in('root/evals/tests/link.yaml'));
    symlinkSync(temporary.in('outside'), temporary.in('root/evals/tests/linked'));
    deepEqual((await valuesOf('tests/*.yaml'))[0], ['a', 'b']);
    deepEqual((await valuesOf('tests/**/x.yaml'))[0], []);
  });
});
