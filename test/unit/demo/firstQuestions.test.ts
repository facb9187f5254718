import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { questionText } from '../../../src/core/conversation/attachment';
import { demoSteps } from '../../../src/protocol/chat';
import { modelsOf } from '../../../src/demo/catalogue';
import { type TestDemo, firstModel, openDemo } from './demoService';

/** A question and what its answer must and must not hold, as patterns; `call` is the tool call it is answered with. */
interface First {
  readonly id: string;
  readonly ask?: string;
  readonly system?: string;
  /** Files with or without a range of lines, sent as the chat sends them. */
  readonly attach?: readonly string[];
  readonly earlier?: readonly string[];
  /** A line of the sample `requests.jsonl`, sent as it is, or a row of `reviews.csv` within the sample's prompt. */
  readonly line?: string;
  readonly review?: string;
  /** Asked by an editor's agent with all its tools: about an attached file, or with one that is only open. */
  readonly agent?: string;
  readonly agentOpen?: string;
  readonly tools?: readonly string[];
  readonly json?: boolean;
  readonly picture?: boolean;
  readonly must?: readonly string[];
  readonly mustNot?: readonly string[];
  readonly call?: { readonly name: string; readonly input: unknown };
}

const folder = 'test/fixtures/demo';
const samples = 'media/samples';
const questions = JSON.parse(readFileSync(join(folder, 'questions.json'), 'utf8')) as readonly First[];
const languages: Readonly<Record<string, string>> = {
  py: 'python',
  ts: 'typescript',
  js: 'javascript',
  json: 'json',
  md: 'markdown',
  csv: 'csv',
  txt: 'plaintext',
};

/** Code is kept as text, so that nothing takes it for a part of the project. */
const read = (name: string): string =>
  readFileSync(existsSync(join(samples, name)) ? join(samples, name) : join(folder, `${name}.txt`), 'utf8');
const languageOf = (name: string): string => languages[name.split('.')[1] ?? ''] ?? '';

function attached(label: string) {
  const [name = '', range] = label.split(':');
  const [from, to] = range?.split('-').map(Number) ?? [];
  const text =
    from === undefined
      ? read(name)
      : read(name)
          .split('\n')
          .slice(from - 1, to)
          .join('\n');
  return { kind: 'file' as const, label, language: languageOf(name), text, tokens: 0 };
}

const agentTools = [
  ['create_file', 'Create a new file in the workspace with the given content', ['filePath', 'content']],
  ['create_directory', 'Create a new directory structure in the workspace', ['dirPath']],
  ['read_file', 'Read the contents of a file', ['filePath', 'startLine', 'endLine']],
  ['replace_string_in_file', 'Edit an existing file by replacing a string', ['filePath', 'oldString', 'newString']],
  ['run_in_terminal', 'Run a command in a terminal; explain it', ['command', 'explanation']],
  ['semantic_search', 'Search code and tests in the workspace for a question', ['query']],
  ['get_errors', 'Get compile or lint errors in a code file', ['filePaths']],
  ['test_failure', 'Includes test failure information in the prompt', []],
  ['think', 'Think about what the user explains and write tests', ['thoughts']],
  ['fetch_webpage', 'Fetch a web page', ['url']],
] as const;

const toolOf = (name: string, description: string, keys: readonly string[]) => ({
  type: 'function',
  function: {
    name,
    description,
    parameters: {
      type: 'object',
      properties: Object.fromEntries(keys.map((key) => [key, { type: key.endsWith('Line') ? 'integer' : 'string' }])),
      required: keys,
    },
  },
});
const toolsFor = ({ tools, agent, agentOpen }: First) => {
  if (tools !== undefined) return tools.map((name) => toolOf(name, 'Returns the weather in a city.', ['city']));
  if (agent === undefined && agentOpen === undefined) return undefined;
  return agentTools.map(([name, description, keys]) => toolOf(name, description, keys));
};

function agentText({ ask = '', agent, agentOpen = '' }: First): string {
  const file =
    agent === undefined
      ? ''
      : `<attachments>\n<attachment id="${agent}" filePath="/work/${agent}">\n\`\`\`${languageOf(agent)}\n# filepath: /work/${agent}\n${read(agent)}\`\`\`\n</attachment>\n</attachments>\n`;
  const open = agent === undefined ? agentOpen : `/work/${agent}`;
  const context = open === '' ? '' : `<editorContext>\nThe user's current file is ${open}. \n</editorContext>\n`;
  return `${file}<context>\nIt is Sunday. There is a terminal, a file and a test.\n</context>\n${context}<reminderInstructions>\nUse create_file for new files.\n</reminderInstructions>\n<userRequest>\n${ask}\n</userRequest>\n`;
}

const withFile = (text: string): string => {
  const [, name, rest] = /^@(\S+) (.*)$/.exec(text) ?? [];
  return name === undefined || rest === undefined ? text : questionText(rest, [attached(name)]);
};

function bodyOf(first: First): Record<string, unknown> {
  const { line, review, ask = '', attach = [], earlier = [], system, json, picture } = first;
  if (line !== undefined) {
    const found = `${read('requests.jsonl')}${read('requests-with-faults.jsonl')}`
      .split('\n')
      .find((text) => text.includes(`"${line}"`));
    return (JSON.parse(found ?? '') as { body: Record<string, unknown> }).body;
  }
  const row = read('reviews.csv')
    .split('\n')
    .find((text) => text.startsWith(review ?? '-'))
    ?.replace(/^[^"]*"/, '')
    .replace(/"$/, '')
    .replaceAll('""', '"');
  const isAgent = first.agent !== undefined || first.agentOpen !== undefined;
  const text = isAgent
    ? agentText(first)
    : review === undefined
      ? questionText(ask, attach.map(attached))
      : `Is this review about the product or about the delivery? ${row ?? ''}`;
  const tools = toolsFor(first);
  return {
    max_tokens: 4000,
    messages: [
      ...(system === undefined ? [] : [{ role: 'system', content: system }]),
      ...earlier.flatMap((one) => [
        { role: 'user', content: withFile(one) },
        { role: 'assistant', content: 'Done.' },
      ]),
      {
        role: 'user',
        content:
          picture === true
            ? [
                { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } },
                { type: 'text', text },
              ]
            : text,
      },
    ],
    ...(tools === undefined ? {} : { tools }),
    ...(json === true ? { response_format: { type: 'json_object' } } : {}),
  };
}

interface Message {
  readonly content: string;
  readonly tool_calls?: readonly { readonly function: { readonly name: string; readonly arguments: string } }[];
}

describe('the demo service, asked common first questions', () => {
  let demo: TestDemo;
  before(async () => {
    demo = await openDemo();
  });
  after(() => demo.close());

  const answer = async (first: First, model = firstModel): Promise<Message> => {
    const { body } = await demo.post('/chat/completions', { ...bodyOf(first), model });
    return body['choices']?.['0']?.['message'] as unknown as Message;
  };

  for (const first of questions)
    it(first.id, async () => {
      const { content, tool_calls: calls = [] } = await answer(first);
      const called = calls.map(({ function: { name, arguments: input } }) => ({
        name,
        input: JSON.parse(input) as unknown,
      }));
      assert.deepEqual(called, first.call === undefined ? [] : [first.call]);
      for (const pattern of first.must ?? []) assert.match(content, new RegExp(pattern));
      for (const pattern of first.mustNot ?? []) assert.doesNotMatch(content, new RegExp(pattern));
    });

  it('ends an answer with a command that the chat can run, for every model', async () => {
    const models = modelsOf('chat').map(({ id }) => id);
    for (const first of questions.filter(({ must = [] }) => must.some((pattern) => pattern.includes('command:')))) {
      for (const model of models) {
        const { content } = await answer(first, model);
        const [, command] = /\n\n\[[^\]\n]{1,80}\]\(command:([\w.]+)\)$/.exec(content) ?? [];
        assert.ok(
          demoSteps.some((step) => step === command),
          `${model}: ${content}`,
        );
      }
    }
  });

  it('offers another next step for each of eight unsupported questions', async () => {
    const questions = ['a garden', 'a boat', 'a novel', 'a trip', 'a menu', 'a party', 'a career', 'a house'];
    const steps: (string | undefined)[] = [];
    for (const [index, about] of questions.entries()) {
      const earlier = questions.slice(0, index).map((one) => `How do I plan ${one}?`);
      const { content } = await answer({ id: '', earlier, ask: `How do I plan ${about}?` });
      steps.push(/\(command:([\w.]+)\)/.exec(content)?.[1]);
    }
    assert.equal(new Set(steps).size, questions.length, steps.join());
  });

  it('reads a file with the right tool, and answers from its content', async () => {
    const first: First = { id: '', agentOpen: '/work/retry.py', ask: 'Explain this file' };
    const body = bodyOf(first);
    const call = { id: 'c1', type: 'function', function: { name: 'read_file', arguments: '{}' } };
    const messages = [
      ...(body['messages'] as readonly object[]),
      { role: 'assistant', content: '', tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c1', content: read('retry.py') },
    ];
    const { body: answered } = await demo.post('/chat/completions', { ...body, model: firstModel, messages });
    assert.match(
      String(answered['choices']?.['0']?.['message']?.['content']),
      /`retry\.py` has 11 lines[^]*\| 4 \| `def retry\(/,
    );
  });

  it('answers in other words with another model', async () => {
    const models = modelsOf('chat')
      .map(({ id }) => id)
      .filter((id) => !id.startsWith('Pro/'));
    const [first] = questions;
    assert.ok(first);
    const answers = await Promise.all(models.map(async (id) => (await answer(first, id)).content));
    assert.equal(new Set(answers).size, models.length);
  });

  it('ranks the sample list for its question, with the same best document and different scores in three rerankers', async () => {
    const documents = read('help-articles.txt').trim().split('\n');
    const ranked = await Promise.all(
      modelsOf('reranker').map(async ({ id: model }) => {
        const { body } = await demo.post('/rerank', { model, query: 'How do I get my money back?', documents });
        return body['results'] as unknown as readonly { index: number; relevance_score: number }[];
      }),
    );
    assert.deepEqual(
      ranked.map(([best]) => best?.index),
      [3, 3, 3],
    );
    assert.deepEqual(
      ranked.map((results) =>
        results
          .map(({ index }) => index)
          .slice(0, 4)
          .includes(6),
      ),
      [true, true, true],
    );
    assert.equal(new Set(ranked.map(([best]) => best?.relevance_score)).size, 3);
    assert.equal(new Set(ranked.map((results) => results.map(({ index }) => index).join())).size, 3);
  });
});
