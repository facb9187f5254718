import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { compileTemplate } from '../../../../src/core/batch/making/template';
import { requestedVariables, fillPrompt, providedPlaceholders } from '../../../../src/core/prompts/fillPrompt';
import { escapePlaceholders, fillPlaceholders, findPlaceholders } from '../../../../src/core/prompts/placeholders';
import { readPrompt } from '../../../../src/core/prompts/readPrompt';
import { writePrompt } from '../../../../src/core/prompts/writePrompt';
import { anyText } from '../../../support/anyText';

const texts = fc
  .array(fc.constantFrom('{{', '}}', '{', '}', '\\', 'a', ' b ', '\n', 'é😀', '{{a}}'), { maxLength: 20 })
  .map((all) => all.join(''));

describe('the placeholders of a prompt', () => {
  it('are filled like those of a batch file created from rows', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const columns = [...findPlaceholders(text)].map(({ name }) => name);
        const values = new Map(columns.map((name) => [name, '{{a}}-$&']));
        const row = columns.map(() => '{{a}}-$&');
        assert.equal(fillPlaceholders(text, values), compileTemplate(text, columns)(row, 1));
      }),
    );
  });

  it('are ignored if they are escaped', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const escaped = escapePlaceholders(text);
        assert.ok([...findPlaceholders(escaped)].every(({ isEscaped }) => isEscaped));
        assert.equal(fillPlaceholders(escaped, new Map([['a', 'no']])), text);
      }),
    );
  });

  it('are found quickly in a long text of open braces', () => {
    const text = `{{${' '.repeat(300_000)}${'{{'.repeat(300_000)}`;
    assert.deepEqual([...findPlaceholders(text)], []);
  });
});

describe('a filled prompt', () => {
  const read = (text: string) => readPrompt(text).prompt;
  const prompt = read(`---
parameters: { prefill: "Dear {{who}}" }
system: For {{who}}.
variables: { who: all, tone: { default: warm, options: [warm, dry] }, topic: , spare: }
---
{{topic}} {{tone}} {{other}} {{selection}} \\{{who}}`);

  it('uses provided values before its own', () => {
    assert.deepEqual(
      fillPrompt(
        prompt,
        new Map([
          ['topic', '{{who}}'],
          ['tone', 'dry'],
        ]),
      ),
      {
        text: '{{who}} dry {{other}} {{selection}} {{who}}',
        parameters: { system: 'For all.', prefill: 'Dear all' },
      },
    );
  });

  it('asks for missing values and choices, and uses the editor for the rest', () => {
    assert.deepEqual(
      requestedVariables(prompt).map(({ name }) => name),
      ['tone', 'topic', 'other'],
    );
    assert.deepEqual(providedPlaceholders(prompt), ['selection']);
    assert.deepEqual(providedPlaceholders(read('---\nvariables: { file: x }\n---\n{{file}} {{path}}')), ['path']);
  });
});

describe('a created prompt file', () => {
  it('sends the original request, without problems', () => {
    const line = fc.oneof(texts, anyText());
    const said = line
      .map((text) =>
        text
          .replaceAll(/\r\n?/g, '\n')
          .replace(/^(?:[ \t]*\n)+/, '')
          .trimEnd(),
      )
      .filter((text) => text.trim() !== '' && !text.includes('\ufeff'));
    const parameters = fc.record(
      {
        system: line.filter((text) => text.trim() !== ''),
        temperature: fc.double({ min: 0, max: 2, noNaN: true }),
        max_tokens: fc.integer({ min: 1, max: 100_000 }),
        prefill: line.filter((text) => text !== ''),
        stop_sequences: fc.array(line, { minLength: 1, maxLength: 3 }),
      },
      { requiredKeys: [], noNullPrototype: true },
    );
    fc.assert(
      fc.property(
        said,
        parameters,
        fc.option(fc.constantFrom('a/b', 'no', '1.5'), { nil: undefined }),
        (text, set, model) => {
          const { prompt, problems } = readPrompt(writePrompt({ model, parameters: set, text }));
          assert.deepEqual(problems, []);
          assert.equal(prompt.model?.id, model);
          assert.deepEqual(fillPrompt(prompt, new Map()), { text, parameters: set });
        },
      ),
      { numRuns: 60 },
    );
  });
});
