import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { readPrompt } from '../../../../src/core/prompts/readPrompt';

const file = (front: string, text = 'Ask {{topic}}.') => `---\n${front}\n---\n\n${text}\n`;

/** The problems as `code: what is marked`. */
function problems(text: string): readonly string[] {
  return readPrompt(text).problems.map(({ code, span }) => `${code}: ${text.slice(span.start, span.end)}`);
}

describe('a prompt file', () => {
  it('is only a text without front matter', () => {
    const { prompt, problems: found } = readPrompt('\ufeffName a {{path}}\r\nof \\{{this}}.\r\n');
    assert.equal(prompt.text, 'Name a {{path}}\nof \\{{this}}.');
    assert.deepEqual(prompt.places, [{ name: 'path', span: { start: 8, end: 16 } }]);
    assert.deepEqual(found, []);
  });

  it('turns thinking on or off, and reports other values', () => {
    const set = file('parameters: { enable_thinking: false, thinking_budget: 500 }', 'Hi');
    assert.deepEqual(readPrompt(set).prompt.parameters, { enable_thinking: false, thinking_budget: 500 });
    assert.deepEqual(problems(set), []);
    assert.deepEqual(problems(set.replace('false', 'off')), ['value.wrong-type: off']);
    assert.deepEqual(problems(set.replace('false', '1')), ['value.wrong-type: 1']);
    assert.deepEqual(problems(set.replace('false', '')), []);
  });

  it('contains a model, models, parameters, a system prompt, and variables', () => {
    const text = file(
      `description: Reviews
model: a/b
models: [a/b, c/d, a/b]
parameters:
  max_tokens: 100
  temperature: 0.20
  stop_sequences: ["\\n\\n", END]
  prefill: "# {{topic}}"
system: |
  You know {{topic}}.
  Always.
variables:
  topic: light
  tone: [plain, warm]
  asked:
  version: 1.10
  who:
    description: For whom
    default: all
    options: [all, some]`,
      '{{topic}} {{tone}} {{asked}} {{version}} {{ who }} {{selection}}',
    ).replaceAll('\n', '\r\n');
    const { prompt, problems: found } = readPrompt(text);
    assert.deepEqual(found, []);
    assert.equal(prompt.description, 'Reviews');
    assert.equal(prompt.model?.id, 'a/b');
    assert.deepEqual(
      prompt.models.map(({ id, span }) => [id, text.slice(span.start, span.end)]),
      [
        ['a/b', 'a/b'],
        ['c/d', 'c/d'],
      ],
    );
    assert.deepEqual(prompt.parameters, {
      max_tokens: 100,
      temperature: 0.2,
      stop_sequences: ['\n\n', 'END'],
      prefill: '# {{topic}}',
    });
    assert.equal(prompt.system, 'You know {{topic}}.\nAlways.\n');
    assert.deepEqual(
      prompt.variables.map(({ span: _span, ...rest }) => rest),
      [
        { name: 'topic', options: [], default: 'light' },
        { name: 'tone', options: ['plain', 'warm'] },
        { name: 'asked', options: [] },
        { name: 'version', options: [], default: '1.10' },
        { name: 'who', options: ['all', 'some'], description: 'For whom', default: 'all' },
      ],
    );
    assert.deepEqual(
      prompt.places.map(({ name, span }) => [name, text.slice(span.start, span.end)]),
      [
        ['topic', '{{topic}}'],
        ['topic', '{{topic}}'],
        ['topic', '{{topic}}'],
        ['tone', '{{tone}}'],
        ['asked', '{{asked}}'],
        ['version', '{{version}}'],
        ['who', '{{ who }}'],
        ['selection', '{{selection}}'],
      ],
    );
  });

  it('has each problem at its location', () => {
    const cases: readonly (readonly [string, readonly string[]])[] = [
      ['', ['text.empty: ']],
      ['---\nmodel: a\n---\n', ['text.empty: ---']],
      ['---\nmodel: a\n', ['front-matter.not-closed: ---']],
      [file('- a', 'x'), ['front-matter.not-mapping: - a']],
      [file('modle: a/b', 'x'), ['key.unknown: modle']],
      [file('temperature: 1', 'x'), ['key.misplaced: temperature']],
      [
        file('parameters:\n  system: be brief\n  temprature: 1', 'x'),
        ['key.misplaced: system', 'key.unknown: temprature'],
      ],
      [file('parameters:\n  temperature: 3', 'x'), ['parameter.out-of-bounds: 3']],
      [file('parameters:\n  top_k: 70', 'x'), ['parameter.unusual: 70']],
      [file('parameters:\n  max_tokens: many', 'x'), ['value.wrong-type: many']],
      [file('parameters:\n  stop_sequences: END', 'x'), ['value.wrong-type: END']],
      [file('parameters: 3', 'x'), ['value.wrong-type: 3']],
      [file('model: [a]', 'x'), ['value.wrong-type: [a]']],
      [file('model: a\nmodel: b', 'x'), ['yaml.invalid: model']],
      [file('model: "a', 'x'), ['yaml.invalid: a']],
      [file('a: {', 'x'), ['key.unknown: a', 'yaml.invalid: {']],
      ['Ask {{topic}} and \\{{this}}', ['variable.undeclared: {{topic}}']],
      [file('variables:\n  topic:\n  other: 1'), ['variable.unused: other']],
      [file('variables:\n  "a}b": 1\n  topic:'), ['variable.bad-name: "a}b"']],
      [
        file('variables:\n  topic: { default: c, options: [a, b], kind: 1 }'),
        ['variable.default-not-option: c', 'key.unknown: kind'],
      ],
      ['---\n<<<<<<< HEAD\nmodel: a\n=======\nmodel: b\n>>>>>>> other\n---\nx', ['file.conflict: <<<<<<< HEAD']],
      ['x'.repeat(400_001), ['file.too-large: x']],
      [file(`description: ${'x'.repeat(100_001)}`, 'x'), [`file.too-large: description: ${'x'.repeat(100_001)}`]],
    ];
    for (const [text, expected] of cases) assert.deepEqual(problems(text).toSorted(), [...expected].toSorted());
  });

  it('reports the first 100 errors of its front matter, and the number of others', () => {
    const { problems: found } = readPrompt(file('model: a\n'.repeat(151), 'x'));
    const errors = found.filter(({ code }) => code === 'yaml.invalid');
    assert.deepEqual(
      [errors.length, errors.at(-2)?.detail, errors.at(-1)?.detail],
      [101, 'Map keys must be unique', 'Map keys must be unique (50 errors from here on)'],
    );
  });

  it('suggests names similar to an unknown one', () => {
    const { problems: found } = readPrompt(file('parameters:\n  temprature: 1', 'Ask {{selektion}}'));
    assert.deepEqual(
      found.map(({ name, suggestions }) => [name, suggestions?.[0]]),
      [
        ['temprature', 'temperature'],
        ['selektion', 'selection'],
      ],
    );
  });

  it('is read with any content, each problem within its range', () => {
    const piece = fc.constantFrom(
      '---\n',
      '\n',
      '  ',
      'model',
      'variables',
      ':',
      ' ',
      '- ',
      '{{',
      '}}',
      '\\',
      'a',
      '"',
      "'",
      '[',
      '*',
      '&x',
      '|',
      '\t',
      '!',
      '\ufeff',
      '\r\n',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.boolean(), (pieces, isFront) => {
        const text = `${isFront ? '---\n' : ''}${pieces.join('')}`;
        for (const { span } of readPrompt(text).problems) {
          assert.ok(span.start >= 0 && span.start <= span.end && span.end <= text.length, JSON.stringify(text));
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('reads aliases once, and no more than are written', () => {
    const bomb = `description: &a [x, x]\n${'bcdefgh'.replaceAll(/./g, (name) => `${name}: &${name} [*${String.fromCharCode(name.charCodeAt(0) - 1)}, *a]\n`)}model: &m a/b\nmodels: [*m, c/d]`;
    const { prompt } = readPrompt(file(bomb, 'x'));
    assert.deepEqual(
      prompt.models.map(({ id }) => id),
      ['a/b', 'c/d'],
    );
  });
});
