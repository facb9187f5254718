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

  it("aren't read if they might contain keys, also by the user's patterns", async () => {
    const config = `prompts: ['{{q}}']\nproviders: [openai:m]\ntests: file://tests/a.yaml`;
    const isSecret = createSecretCheck({ '**/a.yaml': true });
    const { rows, problems } = await readPromptfoo(
      config,
      await openEvalFiles(temporary.in('root'), temporary.in('root/evals'), isSecret),
    );
    deepEqual([rows.length, problems.map(({ kind }) => kind)], [0, ['error']]);
    equal((await read(config)).rows.length, 1);
  });

  it('can be prompts, of which scripts never run', async () => {
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

  it('are reported if there are none, and never outside of the folder', async () => {
    const none = (pattern: string) => [[], [`error No file matches ${pattern}.`]];
    deepEqual(await valuesOf('none/*.yaml'), none('none/*.yaml'));
    deepEqual(await valuesOf('../../outside/*.yaml'), none('../../outside/*.yaml'));
    symlinkSync(temporary.in('outside/x.yaml'), temporary.in('root/evals/tests/link.yaml'));
    symlinkSync(temporary.in('outside'), temporary.in('root/evals/tests/linked'));
    deepEqual((await valuesOf('tests/*.yaml'))[0], ['a', 'b']);
    deepEqual((await valuesOf('tests/**/x.yaml'))[0], []);
  });
});

/** Written by hyparquet-writer: a table with Snappy, and a column of it with gzip and with Zstandard. */
const parquetFiles = [
  Buffer.from(
    'UEFSMRUGFUgVTFwVBBUAFQQVABUEFQAAAAMDIoQMAAAAV2hhdCBpcyAxKzE/DgAAAEdyb8OfZXMg5L6L5a2QFQYVJBUoXBUEFQAVBBUAFQQVAA' +
      'AAAwMQPAIAAAAAAAAAAQAAAAAAIAAVBhUqFS5cFQQVABUEFQAVBBUAAAADAxNICQAAAFsiYSIsImIiXQIAAABbXRUGFTwVQFwVBBUAFQQVABUE' +
      'FQAAAAMDHGwLAAAAY29udGFpbnM6IDIJAAAAZXF1YWxzOiB4FQYVGhUeXBUEFQAVBBUAFQQVAAAAAwMLKAIAAAABAgEAAAADFQQZbEgEcm9vdB' +
      'UKABUMJQIYAXElAAAVBCUCGAFuABUMJQIYBHRhZ3MlJgAVDCUCGApfX2V4cGVjdGVkJQAAFQwlAhgDcmF3ABYEGRwZXCYIHBUMGRUAGRgBcRUC' +
      'FgQWchZ2JggAACZ+HBUEGRUAGRgBbhUCFgQWThZSJn4AACbQARwVDBkVABkYBHRhZ3MVAhYEFlQWWCbQAQAAJqgCHBUMGRUAGRgKX19leHBlY3' +
      'RlZBUCFgQWZhZqJqgCAAAmkgMcFQwZFQAZGANyYXcVAhYEFkQWSCaSAwAAFr4DFgQ20gMAKAloeXBhcnF1ZXQZXBwAABwAABwAABwAABwAAAAB' +
      'AQAAUEFSMQ==',
    'base64',
  ),
  Buffer.from(
    'UEFSMRUGFUgVclwVBBUAFQQVABUEFQAAAAMDH4sIAAAAAAAAA+NhYGAIz0gsUcgsVjDUNrTnY2BgcC/KPzw/tVjhyb7up2snAACrrIBwIgAAAB' +
      'UEGSxIBHJvb3QVAgAVDCUCGAFxJQAAFgQZHBkcJggcFQwZFQAZGAFxFQQWBBZyFpwBJggAABZyFgQ2nAEAKAloeXBhcnF1ZXQZHBwAAABPAAAA' +
      'UEFSMQ==',
    'base64',
  ),
  Buffer.from(
    'UEFSMRUGFUgVWlwVBBUAFQQVABUEFQAAAAMDKLUv/SAiEQEADAAAAFdoYXQgaXMgMSsxPw4AAABHcm/Dn2VzIOS+i+WtkBUEGSxIBHJvb3QVAg' +
      'AVDCUCGAFxJQAAFgQZHBkcJggcFQwZFQAZGAFxFQwWBBZyFoQBJggAABZyFgQ2hAEAKAloeXBhcnF1ZXQZHBwAAABPAAAAUEFSMQ==',
    'base64',
  ),
] as const;

describe('rows in Parquet files', () => {
  const temporary = setUpFolder();
  const read = async (bytes: Uint8Array) => {
    writeFileSync(temporary.in('r.parquet'), bytes);
    const files = await openEvalFiles(temporary.in('.'), temporary.in('.'));
    return readPromptfoo(`prompts: ['{{q}}']\nproviders: [openai:m]\ntests: file://r.parquet`, files);
  };

  it('have their values and expectations with any compression', async () => {
    const [snappy, ...others] = parquetFiles;
    const { rows, problems } = await read(snappy);
    deepEqual(problems, []);
    deepEqual(
      rows.map(({ vars }) => Object.fromEntries(vars)),
      [
        { q: 'What is 1+1?', n: 2, tags: ['a', 'b'], raw: '\u0001\u0002' },
        { q: 'Großes 例子', n: '9007199254740993', tags: [], raw: '\u0003' },
      ],
    );
    deepEqual(
      rows.map(({ assertions }) => assertions.map(({ type, value }) => `${type} ${String(value)}`)),
      [['contains 2'], ['equals x']],
    );
    for (const bytes of others)
      deepEqual(
        (await read(bytes)).rows.map(({ vars }) => vars.get('q')),
        ['What is 1+1?', 'Großes 例子'],
      );
  });

  it("aren't read from a damaged or different file", async () => {
    const [snappy] = parquetFiles;
    for (const bytes of [
      Buffer.from('q\na'),
      snappy.subarray(9),
      Buffer.alloc(0),
      Buffer.concat([snappy.subarray(0, 60), snappy.subarray(70)]),
    ])
      deepEqual(
        (await read(bytes)).problems.map(({ message }) => message),
        ["Couldn't read r.parquet."],
      );
  });
});
