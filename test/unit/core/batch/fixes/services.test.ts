import { deepEqual, equal } from 'node:assert/strict';
import { quickFixesOf, rootOf } from '../../../../../src/core/batch/fixes/fixLine';
import { waysFor } from '../../../../../src/core/batch/fixes/fixTable';
import { createBatchIndex } from '../../../../../src/core/batch/index/batchIndex';
import { readLine } from '../../../../../src/core/batch/readLine';
import { batchServiceNamed } from '../../../../../src/core/batch/services/batchServiceOf';
import { writtenWayOf } from '../../../../../src/core/batch/writtenWay';

const hello = '[{"role":"user","content":"hi"}]';
const chat = (rest: string, body = `"messages":${hello}`) => `{"custom_id":"a",${rest}"body":{"model":"m",${body}}}`;
const withUrl = (url: string, body?: string) => chat(`"method":"POST","url":"${url}",`, body);
const parts = (part: string) => `"messages":[{"role":"user","content":[${part}]}]`;

/** The lines that the quick fixes for a problem make of one. */
function fixed(service: string, code: string, text: string): readonly string[] {
  const rules = batchServiceNamed(service)!;
  const problem = readLine(text, rules).problems.find((one) => one.code === code);
  if (!problem) throw new Error(`${code} is not reported for ${text}`);
  const file = { freshId: () => 'b', model: 'm', service: { rules, way: writtenWayOf(undefined) } };
  const target = { text, problem: { ...problem, line: 0 }, root: rootOf(text), file };
  return waysFor(problem.code).flatMap((way) => quickFixesOf(way, target).map(({ lines }) => lines.join('\n')));
}

describe('a quick fix of a batch file for a service', () => {
  it('removes a parameter that the model or the service rejects', () => {
    const withOption = (model: string, option: string) =>
      `{"custom_id":"a","method":"POST","url":"/v1/chat/completions","body":{"model":"${model}","messages":${hello}${option}}}`;
    for (const [service, model, option] of [
      ['OpenAI', 'o3-mini', ',"temperature":0.2'],
      ['Groq', 'm', ',"logprobs":true'],
    ] as const) {
      deepEqual(fixed(service, 'parameter.not-for-model', withOption(model, option)), [withOption(model, '')]);
    }
  });

  it("writes the URL in the service's format", () => {
    for (const [service, url] of [
      ['OpenAI', '/v1/chat/completions'],
      ['ZhiPu', '/v4/chat/completions'],
      ['Azure OpenAI', '/chat/completions'],
    ] as const) {
      deepEqual(fixed(service, 'url.missing', chat('"method":"POST",')), [withUrl(url)], service);
      deepEqual(fixed(service, 'method.missing', chat('')), [withUrl(url)], service);
      deepEqual(fixed(service, 'url.unknown', withUrl('/v2/chats')), [withUrl(url)], service);
    }
  });

  it('writes the URL of the other lines if the body matches it', () => {
    const rules = batchServiceNamed('OpenAI')!;
    const file = { freshId: () => 'b', model: 'm', service: { rules, way: writtenWayOf(undefined) } };
    const mixed = (text: string) => {
      const index = createBatchIndex(() => rules);
      index.replace(0, 0, [withUrl('/v1/chat/completions'), text, '']);
      const facts = { hasBom: false, hasCrlf: false };
      const problem = [...index.problems(facts)].find(({ code }) => code === 'url.mixed')!;
      const target = { text, problem, root: rootOf(text), file };
      return waysFor('url.mixed').flatMap((way) => quickFixesOf(way, target).map(({ lines }) => lines.join('\n')));
    };
    deepEqual(mixed(withUrl('/v1/completions')), [withUrl('/v1/chat/completions')]);
    deepEqual(mixed(withUrl('/v1/embeddings', '"input":"x"')), []);
  });

  it('writes the URL that matches the body, and none if the service has none for it', () => {
    equal(
      fixed('OpenAI', 'url.unknown', withUrl('/embed', '"input":"a"')).at(-1),
      withUrl('/v1/embeddings', '"input":"a"'),
    );
    deepEqual(fixed('OpenAI', 'url.missing', chat('"method":"POST",', '"prompt":"a"')), [
      withUrl('/v1/completions', '"prompt":"a"'),
    ]);
    deepEqual(fixed('Groq', 'url.unknown', withUrl('/v1/moderations', '"input":"a"')), []);
  });

  it('renames a misspelled key', () => {
    const near = chat('" method":"POST","url":"/v1/chat/completions",');
    const right = withUrl('/v1/chat/completions');
    deepEqual(fixed('OpenAI', 'method.missing', near), [right]);
    deepEqual(fixed('OpenAI', 'line.unknown-member', near)[0], right);
  });

  it('renames a parameter to the name of the endpoint or model', () => {
    deepEqual(fixed('OpenAI', 'body.other-endpoint', withUrl('/v1/responses', '"input":"a","max_tokens":20')), [
      withUrl('/v1/responses', '"input":"a","max_output_tokens":20'),
    ]);
    const reasoning = (name: string) =>
      withUrl('/v1/chat/completions', `"messages":${hello},"${name}":20`).replace('"m"', '"o3"');
    deepEqual(fixed('OpenAI', 'parameter.not-for-model', reasoning('max_tokens')), [
      reasoning('max_completion_tokens'),
    ]);
  });

  it('converts parts of another API to those of chat completions', () => {
    const url = '/v1/chat/completions';
    const image = '{"type":"image_url","image_url":{"url":"https://example.com/a.png"}}';
    for (const [part, right] of [
      ['{"type":"input_text","text":"a"}', '{"type":"text","text":"a"}'],
      ['{"type":"image","image":"https://example.com/a.png"}', image],
      ['{"type":"input_image","image_url":"https://example.com/a.png"}', image],
    ] as const) {
      deepEqual(fixed('OpenAI', 'message.part-type', withUrl(url, parts(part))), [withUrl(url, parts(right))]);
    }
    deepEqual(fixed('OpenAI', 'message.part-type', withUrl(url, parts('{"type":"image","source":{}}'))), []);
  });

  it('removes the Python bytes notation', () => {
    const line = (data: string) =>
      withUrl(
        '/v1/chat/completions',
        parts(`{"type":"image_url","image_url":{"url":"data:image/jpeg;base64,${data}"}}`),
      );
    deepEqual(fixed('OpenAI', 'media.not-base64', line("b'iVBORw0KGgo='")), [line('iVBORw0KGgo=')]);
    deepEqual(fixed('OpenAI', 'media.not-base64', line('!')), []);
  });

  it("moves the service's parameters into the body", () => {
    const line = chat('"method":"POST","url":"/v1/chat/completions","reasoning_effort":"low",');
    deepEqual(
      fixed('OpenAI', 'line.unknown-member', line)[0],
      withUrl('/v1/chat/completions', `"messages":${hello},"reasoning_effort":"low"`),
    );
  });
});
