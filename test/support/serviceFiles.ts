import fc from 'fast-check';
import { defaultSeverities, type ProblemCode } from '../../src/core/batch/problem';
import type { BatchRules } from '../../src/core/batch/services/batchRules';

type Body = Record<string, unknown>;
type Request = Record<string, unknown>;

/** A file for a service: as documented, or with one line that the service rejects. */
export interface ServiceFile {
  readonly lines: readonly string[];
  /** The zero-based invalid line, and its problem. */
  readonly wrong?: { readonly line: number; readonly how: string };
}

interface Violation {
  readonly how: string;
  /** Whether the service rejects this. */
  readonly applies: (rules: BatchRules, url: string) => boolean;
  /** Makes the request invalid in place, or returns its replacement line. */
  readonly spoil: (request: Request, rules: BatchRules) => string | void;
}

const isError = ({ severities }: BatchRules, code: ProblemCode) =>
  (severities[code] ?? defaultSeverities[code]) === 'error';
const bodyOf = (request: Request) => (request['body'] ?? request['params']) as Body;
const isChat = (url: string) => url.endsWith('/chat/completions');
const image = (url: string) => [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }];

const violations: readonly Violation[] = [
  { how: 'no id', applies: () => true, spoil: (request) => void delete request['custom_id'] },
  { how: 'a number as its id', applies: () => true, spoil: (request) => void (request['custom_id'] = 7) },
  { how: 'an id that is used', applies: () => true, spoil: (request) => void (request['custom_id'] = 'first') },
  {
    how: 'an id with other characters',
    applies: (rules) => rules.idPattern !== undefined,
    spoil: (request) => void (request['custom_id'] = 'one two'),
  },
  {
    how: 'an id that is too long',
    applies: (rules) => isError(rules, 'custom-id.long'),
    spoil: (request) => void (request['custom_id'] = 'x'.repeat(65)),
  },
  { how: 'no JSON', applies: () => true, spoil: (request) => JSON.stringify(request).slice(0, -1) },
  {
    how: 'no body',
    applies: () => true,
    spoil(request) {
      delete request['body'];
      delete request['params'];
    },
  },
  {
    how: 'a text as its body',
    applies: () => true,
    spoil: (request, { line }) => void (request[line === 'params' ? 'params' : 'body'] = '{}'),
  },
  {
    how: 'no model',
    applies: (rules, url) => isError(rules, 'model.missing') && !url.endsWith('/moderations'),
    spoil: (request) => void delete bodyOf(request)['model'],
  },
  {
    how: 'another model',
    applies: (rules) => isError(rules, 'model.mixed'),
    spoil: (request) => void (bodyOf(request)['model'] = 'another-model'),
  },
  {
    how: 'another method',
    applies: ({ line }) => line === 'request',
    spoil: (request) => void (request['method'] = 'GET'),
  },
  {
    how: 'no method',
    applies: (rules) => rules.line === 'request' && isError(rules, 'method.missing'),
    spoil: (request) => void delete request['method'],
  },
  {
    how: 'no URL',
    applies: (rules) => rules.line === 'request' && isError(rules, 'url.missing'),
    spoil: (request) => void delete request['url'],
  },
  {
    how: 'a URL that is no endpoint',
    applies: (rules) => rules.line === 'request' && isError(rules, 'url.unknown'),
    spoil: (request) => void (request['url'] = '/v1/chat/complete'),
  },
  {
    how: 'another endpoint',
    applies: (rules) => rules.line === 'request' && rules.endpoints.length > 1 && isError(rules, 'url.mixed'),
    spoil: (request, { endpoints }) => void (request['url'] = endpoints.find((one) => one !== request['url'])),
  },
  {
    how: 'nothing to answer',
    applies: (_rules, url) => url in contents,
    spoil(request) {
      for (const name of ['messages', 'input', 'prompt', 'documents']) delete bodyOf(request)[name];
    },
  },
  {
    how: 'the messages of a chat',
    applies: (_rules, url) => /\/(responses|embeddings)$/.test(url),
    spoil: (request) => void (bodyOf(request)['messages'] = [{ role: 'user', content: 'a' }]),
  },
  {
    how: 'no messages',
    applies: (_rules, url) => isChat(url),
    spoil: (request) => void (bodyOf(request)['messages'] = []),
  },
  {
    how: 'a part of another API',
    applies: (_rules, url) => isChat(url),
    spoil: (request) =>
      void (bodyOf(request)['messages'] = [{ role: 'user', content: [{ type: 'input_text', text: 'a' }] }]),
  },
  {
    how: 'a schema that is missing',
    applies: (_rules, url) => isChat(url),
    spoil: (request) => void (bodyOf(request)['response_format'] = { type: 'json_schema' }),
  },
  {
    how: 'a temperature that is too high',
    applies: (rules, url) => isChat(url) && isError(rules, 'parameter.out-of-bounds'),
    spoil: (request) => void (bodyOf(request)['temperature'] = 2.5),
  },
  {
    how: 'a result of a tool that was not called',
    applies: (rules, url) => isChat(url) && isError(rules, 'message.tool-without-call'),
    spoil: (request) =>
      void (bodyOf(request)['messages'] = [
        { role: 'user', content: 'a' },
        { role: 'tool', tool_call_id: 'call-1', content: 'b' },
      ]),
  },
  {
    how: 'a call of a tool without its result',
    applies: (rules, url) => isChat(url) && isError(rules, 'message.call-unanswered'),
    spoil(request) {
      const call = { id: 'call-1', type: 'function', function: { name: 'f', arguments: '{}' } };
      const [asked] = bodyOf(request)['messages'] as readonly object[];
      bodyOf(request)['messages'] = [asked, { role: 'assistant', content: null, tool_calls: [call] }, asked];
    },
  },
  {
    how: 'a temperature that the model rejects',
    applies: ({ fixedSampling }, url) => fixedSampling !== undefined && isChat(url),
    spoil: (request) => void Object.assign(bodyOf(request), { model: 'o3-mini', temperature: 0.2 }),
  },
  {
    how: 'a parameter that the service rejects',
    applies: ({ rejects }, url) => rejects !== undefined && isChat(url),
    spoil: (request, { rejects = [] }) => void (bodyOf(request)[rejects[0]!] = 1),
  },
  {
    how: 'a parameter of messages that the service rejects',
    applies: ({ rejects }, url) => rejects?.includes('messages[].name') === true && isChat(url),
    spoil: (request) => void (bodyOf(request)['messages'] = [{ role: 'user', name: 'a', content: 'a' }]),
  },
  {
    how: 'a parameter of chats at another endpoint',
    applies: ({ members, line }, url) =>
      (members !== undefined && /\/(responses|embeddings|moderations)$/.test(url)) || line === 'params',
    spoil: (request) => void (bodyOf(request)['n'] = 2),
  },
  {
    how: 'a thought that is too short',
    applies: ({ line }) => line === 'params',
    spoil: (request) =>
      void Object.assign(bodyOf(request), { max_tokens: 9000, thinking: { type: 'enabled', budget_tokens: 1000 } }),
  },
  {
    how: 'a tool that must be called and is missing',
    applies: ({ checksTools }, url) => checksTools === true && isChat(url),
    spoil: (request) =>
      void Object.assign(bodyOf(request), {
        tools: [{ type: 'function', function: { name: 'f' } }],
        tool_choice: { type: 'function', function: { name: 'g' } },
      }),
  },
  {
    how: 'a tool in the form of another endpoint',
    applies: (_rules, url) => isChat(url) || url.endsWith('/responses'),
    spoil: (request) =>
      void (bodyOf(request)['tools'] = [
        'messages' in bodyOf(request) ? { type: 'function', name: 'f' } : { type: 'function', function: {} },
      ]),
  },
  {
    how: 'a role of another API',
    applies: ({ line }) => line === 'params',
    spoil: (request) => void (bodyOf(request)['messages'] = [{ role: 'system', content: 'a' }]),
  },
  {
    how: 'an image within the request',
    applies: ({ mediaByUrlOnly }, url) => mediaByUrlOnly === true && isChat(url),
    spoil: (request) => void (bodyOf(request)['messages'] = image('data:image/png;base64,iVBORw0KGgo=')),
  },
];

/** The body properties at the checked endpoints. */
const contents: Readonly<Record<string, (text: string) => Body>> = Object.fromEntries(
  ['/v1/chat/completions', '/chat/completions', '/v4/chat/completions'].map((url) => [
    url,
    (text: string) => ({ messages: [{ role: 'user', content: text }] }),
  ]),
);
Object.assign(contents, {
  '/v1/messages': (text: string) => ({ max_tokens: 10, messages: [{ role: 'user', content: text }] }),
  '/v1/responses': (text: string) => ({ input: text }),
  '/v1/embeddings': (text: string) => ({ input: [text] }),
  '/v1/completions': (text: string) => ({ prompt: text }),
  '/v1/moderations': (text: string) => ({ input: text }),
  '/v1/rerank': (text: string) => ({ query: text, documents: [text] }),
} satisfies typeof contents);

/** Generates files for a service, about half of them with a line that it rejects. */
export function filesFor(rules: BatchRules): fc.Arbitrary<ServiceFile> {
  const endpoints = rules.endpoints.filter(
    (one) => one in contents && (rules.line !== 'params' || one === '/v1/messages'),
  );
  const options = fc.record(
    { temperature: fc.double({ min: 0, max: 1, noNaN: true }), top_p: fc.double({ min: 0.1, max: 1, noNaN: true }) },
    { requiredKeys: [] },
  );
  const text = fc.string({ minLength: 1, unit: 'grapheme' }).map((said) => `a ${said.replaceAll('{{', '{')}`);
  return fc
    .record({
      url: fc.constantFrom(...endpoints),
      requests: fc.array(fc.tuple(text, options), { minLength: 2, maxLength: 6 }),
      wrong: fc.option(fc.tuple(fc.nat(), fc.nat())),
    })
    .map(({ url, requests, wrong }) => {
      const lines = requests.map(([said, some], at): Request => {
        const custom_id = at === 0 ? 'first' : `request-${at}`;
        const body = { model: 'a-model', ...contents[url]!(said), ...(isChat(url) && some) };
        if (rules.line === 'params') return { custom_id, params: body };
        return rules.line === 'body' ? { custom_id, body } : { custom_id, method: 'POST', url, body };
      });
      // Not the first one, with which others are compared.
      const line = wrong ? 1 + (wrong[0] % (lines.length - 1)) : 0;
      const possible = violations.filter(
        ({ applies }) => applies(rules, url) && (rules.line !== 'body' || isChat(url)),
      );
      const violation = wrong && possible[wrong[1] % possible.length];
      const own = violation?.spoil(lines[line]!, rules);
      const written = lines.map((one, at) => (own !== undefined && at === line ? own : JSON.stringify(one)));
      return { lines: written, ...(violation && { wrong: { line, how: violation.how } }) };
    });
}
