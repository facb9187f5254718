import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { overrideProblem, readOverrides, withOverride } from '../../../../src/core/capabilities/modelOverrides';

const where = { profileId: 'a1', model: 'vendor/m' };

describe('overrides of a model', () => {
  it('accept every property with a valid value', () => {
    const all = {
      endpoint: 'messages',
      streams: false,
      waitSeconds: 0,
      headers: { 'X-Route': 'blue', 'X-Title': 'My desk' },
      body: { top_n_sigma: 1, provider: { order: ['a'] } },
      thinkingMarks: { open: '<hm>', close: '</hm>' },
      tools: true,
      images: false,
      jsonMode: false,
      logProbabilities: true,
      contextTokens: 8192,
      outputTokens: 4096,
      thinking: 'asked',
    };
    deepEqual(readOverrides({ a1: { 'vendor/m': all } }, 'a1', 'vendor/m'), { overrides: all, problems: [] });
  });

  it('apply only to their account and model', () => {
    const setting = { a1: { 'vendor/m': { tools: true } } };
    for (const [account, model] of [
      ['a2', 'vendor/m'],
      ['a1', 'm'],
      ['__proto__', 'vendor/m'],
      ['a1', 'constructor'],
    ] as const)
      deepEqual(readOverrides(setting, account, model), { overrides: {}, problems: [] });
  });

  const invalid: readonly (readonly [name: string, value: unknown, words: RegExp])[] = [
    ['endpoint', 'responses', /chatCompletions/],
    ['streams', 'yes', /true or false/],
    ['waitSeconds', -1, /up to 86/],
    ['waitSeconds', 1.5, /whole number of seconds/],
    ['contextTokens', 10, /512 or more/],
    ['outputTokens', '4096', /whole number/],
    ['thinking', 'often', /never/],
    ['thinkingMarks', { open: '<a>' }, /opening and a closing tag/],
    ['thinkingMarks', { open: '', close: '</a>' }, /opening and a closing tag/],
    ['thinkingMarks', { open: '< a >', close: '</a>' }, /without spaces/],
    ['headers', 'X-Route: blue', /JSON object/],
    ['headers', ['X-Route'], /JSON object/],
    ['headers', { 'X Route': 'blue' }, /X Route isn't a valid header name/],
    ['headers', { 'X-Route': 'blue\r\nHost: x' }, /printable ASCII/],
    ['headers', { 'X-Route': 1 }, /only printable ASCII/],
    ['headers', { Host: 'elsewhere' }, /set automatically/],
    ['headers', { 'content-length': '3' }, /set automatically/],
    ['headers', { 'X-Long': 'x'.repeat(3000) }, /printable ASCII/],
    ['body', [1], /JSON object/],
    ['body', { model: 'other' }, /model is set automatically/],
    ['body', { stream: false }, /stream is set automatically/],
    ['body', { note: 'x'.repeat(30_000) }, /maximum is/],
    ['temperature', 1, /one of these properties: endpoint/],
    ['toString', 1, /one of these properties: endpoint/],
  ];
  for (const [name, value, words] of invalid) {
    it(`explain and reject ${name} with ${JSON.stringify(value).slice(0, 40)}, and keep the others`, () => {
      match(overrideProblem(name, value) ?? '', words);
      const { overrides, problems } = readOverrides({ a1: { m: { [name]: value, tools: true } } }, 'a1', 'm');
      deepEqual(overrides, { tools: true });
      equal(problems.length, 1);
      ok(problems[0]?.startsWith(`${name}: `));
    });
  }

  it('allow no key in a header, whatever its name', () => {
    for (const headers of [
      { Authorization: 'Bearer x' },
      { 'x-api-key': 'abc' },
      { 'api-key': 'abc' },
      { 'Ocp-Apim-Subscription-Key': 'abc' },
      { Cookie: 'session=1' },
      { 'X-Auth-Token': 'abc' },
      { 'Proxy-Authorization': 'Basic abc' },
      { 'CF-Access-Client-Secret': 'abc' },
      { 'X-Goog-Api-Key': 'abc' },
      { 'X-Route': 'sk-0123456789abcdef0123456789abcdef' },
      { 'X-Route': 'Bearer abcdef' },
    ])
      match(overrideProblem('headers', headers) ?? '', /can't contain a key/, JSON.stringify(headers));
    equal(
      overrideProblem('headers', { 'X-Tokens-Per-Minute': '60', 'HTTP-Referer': 'https://example.com' }),
      undefined,
    );
  });

  it("report a value that isn't an object", () => {
    for (const raw of [null, 5, 'x', []])
      deepEqual(readOverrides({ a1: { m: raw } }, 'a1', 'm'), { overrides: {}, problems: ['Expected an object.'] });
    for (const raw of [null, 5, []]) deepEqual(readOverrides({ a1: raw }, 'a1', 'm'), { overrides: {}, problems: [] });
  });

  it('are changed one at a time, and leave no empty objects', () => {
    const others = { a2: { m: { tools: false } }, a1: { other: { headers: 'not valid' } } };
    const once = withOverride(others, where, 'streams', false);
    const twice = withOverride(once, where, 'waitSeconds', 60);
    deepEqual(twice, { a2: others.a2, a1: { ...others.a1, 'vendor/m': { streams: false, waitSeconds: 60 } } });
    const back = withOverride(withOverride(twice, where, 'streams', undefined), where, 'waitSeconds', undefined);
    deepEqual(back, others);
    deepEqual(withOverride(withOverride({}, where, 'tools', true), where, 'tools', undefined), {});
  });
});
