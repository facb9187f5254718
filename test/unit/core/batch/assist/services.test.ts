import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { completionsAt } from '../../../../../src/core/batch/assist/complete';
import { describeAt } from '../../../../../src/core/batch/assist/describe';
import { lineFormOf, lineShapeAt } from '../../../../../src/core/batch/assist/lineShape';
import { requestSchema } from '../../../../../src/core/batch/assist/requestSchema';
import { requestSnippets } from '../../../../../src/core/batch/assist/requestSnippets';
import { readLine } from '../../../../../src/core/batch/readLine';
import type { BatchRules } from '../../../../../src/core/batch/services/batchRules';
import { batchServiceNamed } from '../../../../../src/core/batch/services/batchServiceOf';
import { batchServices, unknownService } from '../../../../../src/core/batch/services/batchServices';

const rulesOf = (name: string) => batchServiceNamed(name) ?? unknownService;

/** The cursor is at the bar. */
function split(marked: string) {
  const offset = marked.indexOf('|');
  return { text: marked.slice(0, offset) + marked.slice(offset + 1), offset };
}
const offered = (service: string, marked: string) =>
  completionsAt({ ...split(marked), models: [], rules: rulesOf(service) }).map(({ label }) => label);
const described = (service: string, marked: string) => {
  const { text, offset } = split(marked);
  return describeAt(text, offset, rulesOf(service))?.member;
};
const problemsIn = (line: string, rules: BatchRules) =>
  readLine(line, rules).problems.filter(({ code }) => rules.severities[code] !== 'off');
const written = (snippet: string) => snippet.replace(/\$\{\d:([^}]*)\}/g, '$1');

describe('help with a batch file for a service', () => {
  it("offers the properties of the service's lines", () => {
    const line = '{"custom_id":"a",|}';
    deepEqual(offered('SiliconFlow', line), ['method', 'url', 'body']);
    deepEqual(offered('Anthropic', line), ['params']);
    deepEqual(offered('Mistral', line), ['body']);
    deepEqual(offered('OpenRouter', line), ['method', 'url', 'body']);
  });

  it('offers body properties by the endpoint of the line', () => {
    const at = (url: string) => offered('OpenAI', `{"custom_id":"a","url":"${url}","body":{|}}`);
    ok(at('/v1/chat/completions').includes('messages'));
    deepEqual(at('/v1/embeddings'), ['model', 'input', 'dimensions', 'encoding_format', 'user']);
    ok(at('/v1/responses').includes('max_output_tokens') && !at('/v1/responses').includes('messages'));
    deepEqual(offered('Anthropic', '{"custom_id":"a","params":{|}}').slice(0, 3), ['model', 'max_tokens', 'messages']);
  });

  it('describes the values of a property at the service', () => {
    match(described('OpenAI', '{"custom_id":"a","m|ethod":"POST"}')!.takes, /Required/);
    match(described('SiliconFlow', '{"custom_id":"a","m|ethod":"POST"}')!.about, /Added by the service/);
    match(described('Groq', '{"custom_id":"a","u|rl":""}')!.takes, /audio\/transcriptions/);
    match(described('OpenRouter', '{"custom_id":"a","u|rl":""}')!.about, /OpenRouter doesn't need/);
    match(described('Anthropic', '{"cus|tom_id":"a"}')!.about, /64 letters/);
    match(described('Anthropic', '{"custom_id":"a","params":{"max_|tokens":1}}')!.about, /Maximum/);
    match(described('OpenAI', '{"custom_id":"a","body":{"reasoning_|effort":"low"}}')!.about, /reasons/);
    equal(described('Anthropic', '{"custom_id":"a","params":{"mo|del":""}}')!.about.includes('Same model'), false);
    equal(described('OpenAI', '{"custom_id":"a","body":{"mo|del":""}}')!.about.includes('Same model'), true);
  });

  it('shows the messages of lines with another body property', () => {
    const messages = [{ role: 'user', content: 'Hi' }];
    const shown = (line: object) => {
      const text = JSON.stringify(line);
      return describeAt(text, text.search(/messages|input/) + 1, rulesOf('Anthropic'))?.conversation?.messages;
    };
    deepEqual(shown({ custom_id: 'a', params: { messages } }), [{ role: 'user', text: 'Hi' }]);
    deepEqual(shown({ custom_id: 'a', url: '/v1/responses', body: { input: messages } }), [
      { role: 'user', text: 'Hi' },
    ]);
  });

  for (const rules of [...batchServices, unknownService]) {
    it(`writes requests without problems: ${rules.name || 'unknown'}`, () => {
      const snippets = requestSnippets(rules);
      ok(snippets.length >= 3);
      for (const { prefix, snippet } of snippets) deepEqual(problemsIn(written(snippet), rules), [], prefix);
      const { template = '' } = lineShapeAt(rules, lineFormOf('', rules));
      const line = template.replace(/\$\{\d:([^}]*)\}/g, '$1').replace(/\$\d/g, 'x');
      deepEqual(problemsIn(line, rules), [], line);
    });
  }

  it('has a schema with the properties and the bodies of the service', () => {
    const anthropic = JSON.stringify(requestSchema(rulesOf('Anthropic')));
    ok(anthropic.includes('"params":{') && anthropic.includes('^[a-zA-Z0-9_-]{1,64}$'));
    const openAi = requestSchema(rulesOf('OpenAI')) as {
      readonly required: readonly string[];
      readonly allOf: object[];
    };
    deepEqual(openAi.required, ['custom_id', 'method', 'url', 'body']);
    ok(openAi.allOf.some((one) => JSON.stringify(one).includes('/v1/embeddings')));
    deepEqual((requestSchema() as { readonly required: unknown }).required, ['custom_id', 'body']);
  });
});
