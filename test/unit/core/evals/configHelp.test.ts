import { deepEqual, equal, ok } from 'node:assert/strict';
import { readType } from '../../../../src/core/evals/formats/assertions';
import { configCursor, jsonCursor } from '../../../../src/core/evals/formats/configCursor';
import { configHover, configOffers } from '../../../../src/core/evals/formats/configHelp';

/** The cursor at `|`. */
function at(text: string) {
  const offset = text.indexOf('|');
  const plain = text.replace('|', '');
  const cursor = configCursor(plain, offset);
  return cursor && [cursor.kind, cursor.path.join('.'), plain.slice(cursor.span.start, cursor.span.end), cursor.isItem];
}

describe('the cursor in an eval file', () => {
  it('is at a key or a value, below the surrounding keys', () => {
    const cases: readonly (readonly [string, unknown])[] = [
      ['|', ['key', '', '', false]],
      ['pro|', ['key', '', 'pro', false]],
      ['prompts: [a]\npro|viders', ['key', '', 'providers', false]],
      ['providers:\n  - |', ['key', 'providers', '', true]],
      ['providers:\n- open|ai:chat:m', ['key', 'providers', 'openai:chat:m', true]],
      ['providers:\n  - id: ope|', ['value', 'providers.id', 'ope', false]],
      ['providers:\n  - id: a\n    config:\n      temp|', ['key', 'providers.config', 'temp', false]],
      ['tests:\n  - vars:\n      q: a\n    assert:\n      - type: |', ['value', 'tests.assert.type', '', false]],
      [
        'tests:\n  - vars:\n      q: a\n    assert:\n      - type: equals\n        |',
        ['key', 'tests.assert', '', false],
      ],
      ['tests:\n- vars:\n    q: a\n  assert:\n  - type: equals\n    val|', ['key', 'tests.assert', 'val', false]],
      ['tests:\n- vars:\n    q: a\n  |', ['key', 'tests', '', false]],
      ['tests:\n- vars:\n    q: a\n- |', ['key', 'tests', '', true]],
      [
        'defaultTest:\n  assert:\n    - type: x\n      metadata:\n        desk:\n          rer|',
        ['key', 'defaultTest.assert.metadata.desk', 'rer', false],
      ],
      [
        'tests: [{ vars: { a: 1 }, assert: [{ type: con|tains, value: x }] }]',
        ['value', 'tests.assert.type', 'contains', false],
      ],
      ['tests: [{ vars: { a: 1 }, |', ['key', 'tests', '', true]],
      ['defaultTest: { assert: [{ type: equals, thr|', ['key', 'defaultTest.assert', 'thr', true]],
      [`- label: x\n  raw: 'Say {{ na|me }}'`, ['place', '', 'name', false]],
      ['# |', undefined],
      ['tests: a # |', undefined],
      ['defaultTest:\n  # note\n\n  assert:\n    - |', ['key', 'defaultTest.assert', '', true]],
      ['prompts:\n  - Say some|', undefined],
      ['description: a |', ['value', 'description', 'a ', false]],
    ];
    for (const [text, expected] of cases) deepEqual(at(text), expected, text);
  });

  it('is at a key or a value of JSON, with its quotes', () => {
    const cases: readonly (readonly [string, unknown])[] = [
      ['{ "pro|" }', ['key', '', '"pro"']],
      ['{ | }', ['key', '', '']],
      ['{ "tests": [{ "assert": [{ "type": "con|tains" }] }] }', ['value', 'tests.assert.type', '"contains"']],
      ['{ "tests": [\n{ "vars": {}, "as|": 1 }] }', ['key', 'tests', '"as"']],
      ['{ "providers": ["|"] }', ['value', 'providers', '""']],
      ['{ "defaultTest": { "assert": [{ "type": "equals", | }] } }', ['key', 'defaultTest.assert', '']],
      ['{ "prompts": ["Say {{ na|me }}"] }', ['place', '', 'name']],
    ];
    for (const [text, expected] of cases) {
      const plain = text.replace('|', '');
      const cursor = jsonCursor(plain, text.indexOf('|'))!;
      const word = plain.slice(cursor.span.start, cursor.span.end);
      deepEqual([cursor.kind, cursor.path.join('.'), word], expected, text);
    }
  });

  it('is located in large and hostile files quickly', () => {
    const rows = 'tests:\n' + '  - vars: { q: "a" }\n'.repeat(40_000);
    equal(configCursor(`${rows}  - ass`, rows.length + 7)?.path.join('.'), 'tests');
    const flow = `tests: ${'[{'.repeat(100_000)}`;
    ok(configCursor(flow, flow.length));
  });
});

describe('IntelliSense in an eval file', () => {
  const names = {
    models: { chat: ['one', 'a/b'], embedding: ['e5'], rerank: ['bge'] },
    vars: new Map<string, unknown>([
      ['q', 'Why?'],
      ['list', [1]],
    ]),
  };
  const offered = (text: string) => {
    const cursor = configCursor(text.replace('|', ''), text.indexOf('|'));
    return cursor ? configOffers(cursor, names).map(({ name }) => name) : [];
  };
  const hovered = (text: string) => {
    const plain = text.replace('|', '');
    const cursor = configCursor(plain, text.indexOf('|'));
    return cursor && configHover(cursor, plain.slice(cursor.span.start, cursor.span.end), names)?.text;
  };

  it('offers the keys of each location', () => {
    deepEqual(offered('|').slice(1), ['prompts', 'providers', 'tests', 'defaultTest', 'scenarios', 'evaluateOptions']);
    deepEqual(offered('evaluateOptions:\n  |'), ['repeat']);
    deepEqual(offered('prompts:\n  - |'), ['label', 'raw', 'config']);
    deepEqual(offered('tests:\n  - vars:\n      |'), []);
    ok(offered('providers:\n  - id: x\n    config:\n      |').includes('temperature'));
    deepEqual(offered('a: { metadata: { desk: { |'), ['embeddings', 'reranker', 'as', 'n']);
  });

  it('offers models, types, and variables', () => {
    deepEqual(offered('providers: [|').slice(0, 2), ['openai:chat:one', 'openai:chat:a/b']);
    deepEqual(offered('providers:\n  - id: |'), ['openai:chat:one', 'openai:chat:a/b']);
    deepEqual(offered('x:\n  assert:\n    - type: answer-relevance\n      metadata: { desk: { reranker: |'), ['bge']);
    deepEqual(offered(`prompts: ['Say {{ |'`), ['q', 'list']);
    ok(offered('defaultTest:\n  assert:\n    - type: |').includes('similar'));
  });

  it('offers only types that are graded, and describes each', () => {
    const types = offered('defaultTest:\n  assert:\n    - type: |');
    for (const type of types) ok(['local', 'service', 'set'].includes(readType(type).class), type);
    equal(new Set(types).size, types.length);
  });

  it('describes keys, types, and variables', () => {
    equal(hovered('pro|mpts: [a]'), 'Prompts to compare, as text with variables or as files.');
    equal(
      hovered('defaultTest: { assert: [{ type: not-ico|ntains }] }'),
      'The response contains this text, ignoring case.',
    );
    equal(hovered(`defaultTest: { assert: [{ type: 'similar:d|ot' }] }`)?.slice(0, 15), 'The response is');
    equal(hovered(`prompts: ['{{ q| }}']`), 'Why?');
    equal(hovered('description: prom|pts'), undefined);
    equal(hovered('defaultTest: { assert: [{ type: __pro|to__ }] }'), undefined);
  });
});
