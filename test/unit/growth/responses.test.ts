import assert from 'node:assert/strict';
import { ChatAssembler } from '../../../src/core/api/chatCompletions/chatAssembler';
import { CompletionAssembler } from '../../../src/core/api/completions/completions';
import { MessageAssembler, toMessage } from '../../../src/core/api/messages/messageAssembler';
import type { MessageEvent } from '../../../src/core/api/messages/messageEvents';
import { listBatches } from '../../../src/core/api/batches/listBatches';
import { batchListResponse, batchResponse } from '../../../src/core/api/batches/batches.schema';
import { messageBatchList, openRouterBatchList } from '../../../src/core/api/batches/inlineBatches.schema';
import { listedPrices } from '../../../src/core/api/models/listedPrices';
import { inKnownForm } from '../../../src/core/api/otherForms';
import { enteredPrices, writePrices } from '../../../src/core/prices/prices';
import { imageResponse } from '../../../src/core/api/images/images.schema';
import { createModels } from '../../../src/core/api/models/models';
import { modelListResponse } from '../../../src/core/api/models/models.schema';
import { createSseReader } from '../../../src/core/api/sse';
import { KeyCarry } from '../../../src/core/api/transport/streamKeys';
import type { StreamEvent, Transport } from '../../../src/core/api/transport/transport';
import { modelsForJob } from '../../../src/core/catalogue/jobs';
import { gatherModels } from '../../../src/core/catalogue/gatherModels';
import { groupModels, searchModels } from '../../../src/core/catalogue/groupModels';
import type { CatalogueModel } from '../../../src/core/catalogue/model';
import { nearestIds } from '../../../src/core/catalogue/nearestIds';
import { tokenSpans } from '../../../src/core/completion/tokenSpans';
import { createModelRule, listedModels } from '../../../src/core/batch/fileRules';
import { createBatchIndex } from '../../../src/core/batch/index/batchIndex';
import { fixAll } from '../../../src/core/batch/fixes/fixAll';
import { waysFor } from '../../../src/core/batch/fixes/fixTable';
import { readLine } from '../../../src/core/batch/readLine';
import type { ProblemCode } from '../../../src/core/batch/problem';
import { createTranscript } from '../../../src/core/conversation/transcript';
import type { ConversationRecord } from '../../../src/core/conversation/record';
import { canContinue, compactTurns } from '../../../src/core/conversation/requestMessages';
import { conversationFacts, findIn } from '../../../src/core/conversation/conversationFacts';
import { toConversationJson, toMarkdown } from '../../../src/core/conversation/export/conversationText';
import { checkRanking } from '../../../src/core/ranking/rankInSlices';
import { readPrompt } from '../../../src/core/prompts/readPrompt';
import { requestedVariables, providedPlaceholders } from '../../../src/core/prompts/fillPrompt';
import { createRedact } from '../../../src/core/api/redact';
import { listPaths } from '../../../src/core/workspace/folderListing';
import { matchPaths } from '../../../src/core/workspace/pathMatches';
import { toAnswer } from '../../../src/features/chat/logic/turnView';
import { growthProblem, type Reader } from '../../support/growth';

const many = <T>(count: number, one: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => one(index));
const nested = (open: string, close: string) => (depth: number) => open.repeat(depth) + close.repeat(depth);

/** A line of a batch file with these members in its body. */
function line(members: readonly string[], id = 'a'): string {
  return `{"custom_id":"${id}","method":"POST","url":"/v1/chat/completions","body":{"model":"m",${members.join()}}}`;
}

const ask = '"messages":[{"role":"user","content":"a"}]';
const model = (id: string): CatalogueModel => ({ id, types: ['text'], subTypes: ['chat'] });
const call = (index: number) => ({ index, id: `c${index}`, function: { name: 'f', arguments: '{"a":1}' } });

/** Reads an answer as a chat does: in one chunk. */
function chatEvents(delta: object): unknown {
  const [assembler, events] = [new ChatAssembler(), []];
  assembler.push({ choices: [{ index: 0, delta }] }, events);
  assembler.end(events);
  return events;
}

function messageEvents(wire: readonly object[]): unknown {
  const assembler = new MessageAssembler();
  const events = wire.flatMap((one) => assembler.push(one));
  return assembler.end(events);
}

/** A service that answers each request for its models with this. */
const modelsOf = (answer: unknown) => {
  const json = () => Promise.resolve(modelListResponse.parse(answer));
  return createModels({ json } as unknown as Transport).list({});
};

function problemsIn(lines: readonly string[], models: readonly CatalogueModel[]): unknown {
  const index = createBatchIndex();
  index.replace(0, 0, lines);
  return [...index.problems({ hasBom: false, hasCrlf: false }, listedModels(models))];
}

function fixed(text: string, code: ProblemCode): unknown {
  const lines = { lineCount: 1, line: () => text };
  const problems = readLine(text).problems.map((problem) => ({ ...problem, line: 0 }));
  const file = { freshId: (like: string) => like, model: 'm' };
  return waysFor(code).map((way) => [...fixAll(way, { lines, problems, file })]);
}

/** A conversation with these records about its only answer, or with these turns. */
function opened(records: readonly ConversationRecord[]): unknown {
  const transcript = createTranscript(records);
  const [turns, { models, title }] = [transcript.turns(), transcript];
  const answer = turns.at(-1)?.answers.at(-1);
  return [
    [models, title, transcript.usage(), conversationFacts(records), findIn(records, '', 'b')],
    answer && [canContinue(answer), toAnswer({ answer, calls: new Map() })],
    [compactTurns(turns, undefined), compactTurns(turns, 20), toMarkdown(turns)],
    toConversationJson({ id: 'c', turns, request: undefined }),
  ];
}

const begun: readonly ConversationRecord[] = [
  { kind: 'conversation', version: 1, id: 'c', createdAt: 1 },
  { kind: 'question', id: 'q', parent: null, at: 1, text: 'a' },
  { kind: 'answer', id: 'a', question: 'q', at: 1, model: 'm' },
];
const block = (index: number, type: 'text' | 'thinking' | 'tool_use'): readonly ConversationRecord[] => [
  { kind: 'block', answer: 'a', index, type, name: 'f' },
  { kind: 'piece', answer: 'a', index, from: 0, text: '{}' },
  ...(type === 'tool_use'
    ? ([
        { kind: 'whole', answer: 'a', index, block: { type, id: `${index}`, name: 'f', input: {} } },
        { kind: 'toolResult', answer: 'a', index, at: 1, text: 'a', isError: false, by: 'tool' },
      ] as const)
    : []),
];

type AnyReader = { [Name in keyof Reader<unknown>]: Reader<never>[Name] };
function reader<Input>(name: string, size: number, make: (size: number) => Input, read: (input: Input) => unknown) {
  return { name, size, make, read } as unknown as AnyReader & Reader<unknown>;
}

const readers: readonly Reader<unknown>[] = [
  reader(
    'unknown properties of a batch line',
    2000,
    (size) => line([...many(size, (at) => `"x${at}":1`), ask]),
    readLine,
  ),
  reader('properties of one name', 2000, (size) => line([...many(size, () => '"x":1'), ask]), readLine),
  reader(
    'unknown members of a request',
    2000,
    (size) => line([ask]).replace('{', `{${many(size, (at) => `"x${at}":1,`).join('')}`),
    readLine,
  ),
  reader(
    'messages with unknown members',
    1000,
    (size) => line([`"messages":[${many(size, () => '{"role":"u","x":1}').join()}]`]),
    readLine,
  ),
  reader(
    'properties of a message',
    2000,
    (size) => line([`"messages":[{${many(size, (at) => `"x${at}":1`).join()}}]`]),
    readLine,
  ),
  reader('calls and results in a batch line', 500, callsLine, readLine),
  reader('brackets in brackets', 2000, nested('[', ']'), readLine),
  reader('objects in objects', 2000, nested('{"a":', '}'), readLine),
  reader('keys in a line', 1000, (size) => line([`"a":"${'sk-aaaaaaaaaaaaaaaaaaaaaaaa '.repeat(size)}"`]), readLine),
  reader('halves of characters', 2000, (size) => line([`"a":"${'\\ud83d '.repeat(size)}"`]), readLine),
  reader(
    'fixes of unknown properties',
    3000,
    (size) => line([...many(size, (at) => `"x${at}":1`), ask]),
    (text: string) => fixed(text, 'body.unknown-member'),
  ),
  reader(
    'fixes of repeated properties',
    1000,
    (size) => line([...many(size, () => '"x":1'), ask]),
    (text: string) => fixed(text, 'line.duplicate-key'),
  ),
  reader(
    'lines with different models',
    300,
    (size) => many(size, (at) => line([ask], `${at}`).replace('"m"', `"model-${at}"`)),
    (lines: string[]) =>
      problemsIn(
        lines,
        many(1000, (at) => model(`vendor/model-${at}x`)),
      ),
  ),
  reader(
    'lines with one id',
    500,
    (size) => many(size, () => line([ask])),
    (lines: string[]) => problemsIn(lines, []),
  ),
  reader(
    'listed models of a batch file',
    2000,
    (size) => many(size, (at) => model(`vendor/${at}`)),
    (models: CatalogueModel[]) => createModelRule(listedModels(models))({ model: 'x/1', kind: 'chat' }),
  ),
  reader(
    'ids to compare',
    2000,
    (size) => many(size, (at) => `vendor/model-${at}`),
    (ids: string[]) => nearestIds('vendor/mdel-1', ids),
  ),
  reader(
    'models listed twice',
    1000,
    (size) => ({ data: many(size, (at) => ({ id: `${at}` })), models: many(size, (at) => ({ name: `${at}` })) }),
    modelsOf,
  ),
  reader('models of a service', 2000, (size) => ({ data: many(size, (at) => ({ id: `v/${at}` })) }), modelsOf),
  reader('models of a catalogue', 1000, (size) => many(size, (at) => model(`vendor/${at}`)), catalogue),
  reader(
    'batches of a service',
    1000,
    (size) => ({ data: many(size, (at) => ({ id: `${at}`, status: 'completed' })) }),
    batchPages,
  ),
  reader(
    'batches of Anthropic',
    1000,
    (size) => ({ data: many(size, (at) => ({ id: `${at}`, processing_status: 'ended', request_counts: {} })) }),
    (wire: unknown) => messageBatchList.parse(wire),
  ),
  reader(
    'batches of OpenRouter',
    1000,
    (size) => ({ data: many(size, (at) => ({ id: `${at}`, status: 'completed', request_counts: {} })) }),
    (wire: unknown) => openRouterBatchList.parse(wire),
  ),
  reader(
    'errors of a batch',
    1000,
    (size) => ({ id: 'b', status: 'failed', errors: { data: many(size, (line) => ({ line, message: 'a' })) } }),
    (wire: unknown) => batchResponse().parse(wire),
  ),
  reader(
    'properties of a model with prices',
    1000,
    (size) => Object.fromEntries(many(size, (at) => [`p${at}`, { prompt: '1', usd: at }])),
    (fields: object) => [
      listedPrices({ ...fields, pricing: fields, model_info: fields }),
      enteredPrices(fields, 'p'),
      writePrices({ ...fields }),
    ],
  ),
  reader(
    'patterns of entered prices',
    300,
    (size) => Object.fromEntries(many(size, (at) => [`*${at}*a*`, { input: 1 }])),
    (setting: object) => enteredPrices(setting, 'a'.repeat(100)),
  ),
  reader(
    'items of the Responses API',
    500,
    (size) => ({
      object: 'response',
      status: 'completed',
      output: many(size, (at) =>
        at % 2
          ? { type: 'message', content: [{ type: 'output_text', text: 'a', annotations: [{ url: 'b' }] }] }
          : { type: 'function_call', call_id: `${at}`, name: 'f', arguments: '{}' },
      ),
    }),
    inKnownForm,
  ),
  reader(
    'properties around an answer',
    1000,
    (size) => ({ data: { ...Object.fromEntries(many(size, (at) => [`p${at}`, {}])), result: { response: 'a' } } }),
    inKnownForm,
  ),
  reader(
    'calls of Ollama',
    500,
    (size) => ({ done: true, message: { tool_calls: many(size, (index) => ({ function: { index, name: 'f' } })) } }),
    inKnownForm,
  ),
  reader(
    'images of an answer',
    1000,
    (size) => ({ images: many(size, (at) => ({ url: `https://a.b/${at}` })) }),
    (wire: unknown) => imageResponse.parse(wire),
  ),
  reader(
    'choices of a chunk',
    1000,
    (size) => ({ choices: many(size, (index) => ({ index, delta: { content: 'a' }, text: 'a' })) }),
    choices,
  ),
  reader('calls in one chunk', 500, (size) => ({ tool_calls: many(size, call) }), chatEvents),
  reader(
    'calls with one number',
    500,
    (size) => ({ tool_calls: many(size, (at) => ({ ...call(at), index: 0 })) }),
    chatEvents,
  ),
  reader(
    'calls without a name',
    500,
    (size) => ({ tool_calls: many(size, (index) => ({ index, function: { arguments: '{}' } })) }),
    chatEvents,
  ),
  reader(
    'parts of a delta',
    1000,
    (size) => ({ content: many(size, () => ({ type: 'text', text: 'a' })) }),
    chatEvents,
  ),
  reader(
    'blocks of a message',
    1000,
    (size) => ({
      content: many(size, (at) => ({ type: at % 2 ? 'text' : 'tool_use', id: `${at}`, name: 'f', input: {} })),
    }),
    toMessage,
  ),
  reader(
    'blocks without an end',
    1000,
    (size) =>
      many(size, (index) => ({
        type: 'content_block_start',
        index,
        content_block: { type: 'tool_use', id: `${index}`, name: 'f' },
      })),
    messageEvents,
  ),
  reader(
    'deltas without a block',
    1000,
    (size) =>
      many(size, (index) => ({
        type: 'content_block_delta',
        index,
        delta: index % 2 ? { type: 'text_delta', text: 'a' } : { type: 'thinking_delta', thinking: 'a' },
      })),
    messageEvents,
  ),
  reader(
    'lines of an event',
    3000,
    (size) => 'data: a\n'.repeat(size),
    (text: string) => createSseReader(1e9, { onData: () => {}, onStray: () => {} }).push(Buffer.from(text)),
  ),
  reader('pieces of a line of a stream', 3000, (size) => many(size, () => Buffer.from('data')), pushAll),
  reader('pieces of an event', 3000, (size) => many(size, () => Buffer.from('data: a\n')), pushAll),
  reader(
    'tokens with probabilities',
    1000,
    (size) => many(size, (at) => (at % 2 ? '<0xF0>' : 'ab')),
    (tokens: string[]) => tokenSpans('a'.repeat(tokens.length), { tokens, token_logprobs: tokens.map(() => -1) }),
  ),
  reader(
    'results of a ranking',
    3000,
    (size) => many(size, (index) => ({ index: index % 7, relevance_score: 1 })),
    (results: { index: number }[]) => checkRanking(results, 7),
  ),
  // Up to 100 of them are compared with the variables, which take up to 100,000 characters.
  reader(
    'placeholders and variables with long names',
    90,
    (size) => {
      const names = (kind: string) => many(size, (at) => `${kind}${at}`.padEnd(40, 'long_name_'));
      const variables = names('v').map((name) => `  ${name}:\n`);
      return `---\nvariables:\n${variables.join('')}---\n${names('w')
        .map((name) => `{{${name}}}`)
        .join('\n')}`;
    },
    promptFile,
  ),
  reader(
    'length of a placeholder and a variable',
    500,
    (size) =>
      `---\nvariables:\n  ? ${'long_name_'.repeat(size / 10)}v\n  :\n---\n{{${'long_name_'.repeat(size / 10)}w}}`,
    promptFile,
  ),
  reader(
    'length of an unknown model and of a listed one',
    500,
    (size) => 'long_name_'.repeat(size / 10),
    (name: string) => [
      nearestIds(`${name}v`, [`${name}w`]),
      createModelRule(listedModels([model(`${name}w`)]))({ model: `${name}v`, kind: 'chat' }),
    ],
  ),
  reader(
    'placeholders and variables',
    500,
    (size) =>
      `---\nvariables:\n${many(size, (at) => `  v${at}:\n`).join('')}---\n${many(size, (at) => `{{w${at}}}`).join('')}`,
    promptFile,
  ),
  reader(
    'unknown keys of a prompt file',
    500,
    (size) => `---\n${many(size, (at) => `key${at}: a\n`).join('')}---\na`,
    promptFile,
  ),
  reader(
    'models of a prompt file',
    500,
    (size) => `---\nmodels:\n${many(size, (at) => `  - m${at}\n`).join('')}---\na`,
    promptFile,
  ),
  reader(
    'blocks of a stored answer',
    500,
    (size) => [...begun, ...many(size, (at) => block(at, at % 2 ? 'text' : 'thinking')).flat()],
    opened,
  ),
  reader(
    'calls of a stored answer',
    300,
    (size) => [...begun, ...many(size, (at) => block(at, 'tool_use')).flat()],
    opened,
  ),
  reader(
    'pieces of a stored answer',
    1000,
    (size) => [
      ...begun,
      ...many(size, (from): ConversationRecord => ({ kind: 'piece', answer: 'a', index: 0, from, text: 'b' })),
    ],
    opened,
  ),
  reader(
    'continuations of a stored answer',
    300,
    (size) => [
      ...begun,
      ...many(size, (at): readonly ConversationRecord[] => [
        ...block(at, 'text'),
        { kind: 'continue', answer: 'a', at },
      ]).flat(),
    ],
    opened,
  ),
  reader(
    'models of a stored conversation',
    1000,
    (size) => [...begun, ...many(size, (at): ConversationRecord => ({ kind: 'model', model: `m${at}` }))],
    opened,
  ),
  reader('turns of a stored conversation', 300, (size) => [...begun, ...turns(size)], opened),
  reader(
    'answers to one question',
    300,
    (size) => [
      ...begun,
      ...many(size, (at): ConversationRecord => ({ kind: 'answer', id: `a${at}`, question: 'q', at, model: 'm' })),
    ],
    opened,
  ),
  reader(
    'keys in a text',
    1000,
    (size) => 'sk-aaaaaaaaaaaaaaaaaaaa '.repeat(size),
    createRedact(['sk-aaaaaaaaaaaaaaaaaaaa']),
  ),
  reader(
    'pieces of a recorded answer',
    1000,
    (size) => many(size, () => 'sk-aaaaa'),
    (pieces: string[]) => createRedact(['sk-aaaaaaaaaaaaaaaaaaaa']).pieces(pieces),
  ),
  reader(
    'events that end with the beginning of a key',
    300,
    (size) => many(size, (at) => ({ type: 'json' as const, data: { [`p${at % 50}`]: 'a sk-aaaaaaaaaa' } })),
    followKeys,
  ),
  reader(
    'texts in an event',
    1000,
    (size) => [{ type: 'json' as const, data: { choices: many(size, (index) => ({ index, text: 'sk-aaaaaaaaaa' })) } }],
    followKeys,
  ),
  reader(
    'paths of a folder',
    1000,
    (size) => many(size, (at) => `a/${at % 100}/b${at}`),
    (paths: string[]) => [listPaths(paths, 100), matchPaths(paths, 'a', 10)],
  ),
];

function callsLine(size: number): string {
  const calls = many(
    size,
    (at) =>
      `{"role":"assistant","content":"","tool_calls":[{"id":"c${at}"}]},{"role":"tool","tool_call_id":"c${at}","content":"a"}`,
  );
  return line([`"messages":[${calls.join()}]`]);
}

async function catalogue(models: CatalogueModel[]): Promise<unknown> {
  const listed = models.map(({ id }) => ({ id }));
  return [
    await gatherModels(() => Promise.resolve(listed), { before: models, hasFilters: true }),
    [groupModels(models), searchModels(models, 'vendor 1')],
    [
      modelsForJob(
        'chat',
        models,
        models.map(({ id }) => id),
      ),
      modelsForJob('completion', models),
    ],
  ];
}

async function batchPages(wire: unknown): Promise<unknown> {
  const { list } = batchListResponse.parse(wire);
  const page = (batches: readonly unknown[]) => Promise.resolve({ batches, hasMore: true, lastId: 'x' });
  const half = Math.floor(list.length / 2);
  const pages = [list.slice(0, half), list.slice(half)];
  return listBatches({ list: () => page(pages.shift() ?? []) } as never, 10, new AbortController().signal);
}

function choices(chunk: unknown): unknown {
  const [chat, events, completion] = [new ChatAssembler(), [], new CompletionAssembler()];
  chat.push(chunk, events);
  chat.end(events);
  return [events, chat.choices, completion.push(chunk), completion.end()];
}

function pushAll(pieces: readonly Buffer[]): void {
  const sse = createSseReader(1e9, { onData: () => {}, onStray: () => {} });
  for (const piece of pieces) sse.push(piece);
}

function followKeys(events: StreamEvent[]): void {
  const keys = new KeyCarry(createRedact(['sk-aaaaaaaaaaaaaaaaaaaa']));
  for (const event of events) keys.pass([event], false);
  keys.pass([], true);
}

function promptFile(text: string): unknown {
  const { prompt } = readPrompt(text);
  return [requestedVariables(prompt), providedPlaceholders(prompt)];
}

function turns(size: number): readonly ConversationRecord[] {
  return many(size, (at): readonly ConversationRecord[] => [
    { kind: 'question', id: `q${at}`, parent: at === 0 ? 'q' : `q${at - 1}`, at, text: 'b' },
    { kind: 'answer', id: `a${at}`, question: `q${at}`, at, model: 'm' },
    { kind: 'piece', answer: `a${at}`, index: 0, from: 0, text: 'b' },
  ]).flat();
}

describe('CPU time of reading ten times as many parts', function () {
  this.timeout(120_000);

  for (const one of readers) {
    it(`grows less than 20-fold for: ${one.name}`, async () => assert.equal(await growthProblem(one), undefined));
  }
});

describe('a response with too many items', () => {
  it('keeps 128 tool calls, and shows further ones as text', () => {
    const events: MessageEvent[] = [];
    new ChatAssembler().push({ choices: [{ index: 0, delta: { tool_calls: many(130, call) } }] }, events);
    assert.equal(events.filter(({ type }) => type === 'toolInput').length, 128);
    assert.deepEqual(
      events.flatMap((event) => (event.type === 'text' ? [event.text] : [])),
      ['\n\nf {"a":1}', '\n\nf {"a":1}'],
    );
  });

  it('keeps 128 tool calls per message, and shows further ones as text', () => {
    const { content } = toMessage({
      content: many(130, (at) => ({ type: 'tool_use', id: `${at}`, name: 'f', input: { a: 1 } })),
    });
    assert.equal(content.filter(({ type }) => type === 'tool_use').length, 128);
    assert.deepEqual(content.at(-1), { type: 'text', text: '\n\nf {"a":1}\n\nf {"a":1}' });
  });

  it('keeps 20,000 models, and reports that there are more', async () => {
    const json = () => Promise.resolve(modelListResponse.parse({ data: many(100_000, (at) => ({ id: `v/${at}` })) }));
    let isCutOff = false;
    const models = createModels({ json } as unknown as Transport);
    assert.equal((await models.list({}, undefined, () => (isCutOff = true))).length, 20_000);
    assert.ok(isCutOff);
  });
});
