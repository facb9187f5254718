import assert from 'node:assert/strict';
import fc from 'fast-check';
import { completionParameterNames } from '../../../../src/core/completion/completionParameters';
import type { CompletionParameters } from '../../../../src/core/completion/completionParameters';
import { formOfText, writeForm } from '../../../../src/core/completion/parameterForm';
import type { CompletionForm } from '../../../../src/core/completion/parameterForm';
import { parameterText, readParameterText } from '../../../../src/core/completion/parameterText';
import { numbersAt } from '../../../../src/core/parameters/parameterTable';
import { anyText } from '../../../support/anyText';

const typed = fc.oneof(
  fc.constant(''),
  fc.integer().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -200, max: 200 }).map((number) => JSON.stringify(number)),
  fc.stringMatching(/^[a-z,.]{1,6}$/),
);
const form: fc.Arbitrary<CompletionForm> = fc.record({
  numbers: fc.record(Object.fromEntries(numbersAt('completions').map((name) => [name, typed]))),
  stop: fc.array(fc.stringMatching(/^([a-z"{} ]|\\n|\\t|\\\\)*$/), { maxLength: 4 }),
  logit_bias: fc.array(
    fc.record({ token: fc.oneof(fc.nat().map(String), fc.stringMatching(/^[a-z"]{0,3}$/)), bias: typed }),
    {
      maxLength: 4,
    },
  ),
});
const parameters: fc.Arbitrary<CompletionParameters> = fc.record(
  {
    max_tokens: fc.integer({ min: 1, max: 9999 }),
    temperature: fc.double({ min: 0, max: 1, noNaN: true }).map((number) => number + 0),
    n: fc.integer({ min: 1, max: 128 }),
    seed: fc.maxSafeInteger(),
    stop: fc.array(anyText({ minLength: 1 }), { minLength: 1, maxLength: 3 }),
    logit_bias: fc.dictionary(fc.nat().map(String), fc.integer({ min: -100, max: 100 }), {
      minKeys: 1,
      noNullPrototype: true,
    }),
  },
  { requiredKeys: [], noNullPrototype: true },
);

const open = (text: string): CompletionForm => {
  const found = formOfText(text);
  assert.ok(found, text);
  return found;
};
const withNumbers = (one: CompletionForm, numbers: CompletionForm['numbers']): CompletionForm => ({
  ...one,
  numbers: { ...one.numbers, ...numbers },
});
/** As JSON has them, so that a number typed as `-0` or `1.50` compares. */
const normal = (value: CompletionForm): CompletionForm => open(writeForm('', value));

describe('the form for completion parameters', () => {
  it('is equivalent to its JSON: any input survives a round trip', () => {
    fc.assert(
      fc.property(form, (one) => {
        const back = normal(one);
        for (const name of ['stop', 'logit_bias'] as const) assert.equal(back[name].length, one[name].length);
        for (const [name, value] of Object.entries(one.numbers)) {
          const shown = back.numbers[name];
          assert.ok(shown === value.trim() || Number(shown) === Number(value), `${name}: ${value} became ${shown}`);
        }
        assert.deepEqual(back.stop, one.stop);
        assert.deepEqual(
          back.logit_bias.map(({ token }) => token),
          one.logit_bias.map(({ token }) => token),
        );
        assert.deepEqual(normal(back), back);
      }),
    );
  });

  it('returns valid parameters unchanged after conversion to text and form', () => {
    fc.assert(
      fc.property(parameters, (one) => {
        const text = parameterText(one);
        const reading = readParameterText(text);
        assert.deepEqual([reading.parameters, reading.issues], [one, []]);
        assert.deepEqual(readParameterText(writeForm('{}', open(text))).parameters, one);
        assert.equal(writeForm(text, open(text)), text);
      }),
    );
  });

  it('keeps unknown and unchanged properties of the text', () => {
    fc.assert(
      fc.property(form, (one) => {
        const text = '{\n\t"later": {"a": [1, 2]},\n\t"top_k" :7,"user":"me"\n}';
        const next = writeForm(text, withNumbers(one, { top_k: '7' }));
        const { later, top_k, user } = JSON.parse(next) as Record<string, unknown>;
        assert.deepEqual({ later, top_k, user }, { later: { a: [1, 2] }, top_k: 7, user: 'me' });
        assert.ok(next.startsWith('{\n\t"later": {"a": [1, 2]},'), next);
        assert.ok(readParameterText(next).root, next);
      }),
    );
  });

  it("doesn't fix a value when another field changes", () => {
    const text = '{"top_p": "0.5", "seed": 1e2, "stop": "END"}';
    const next = writeForm(text, withNumbers(open(text), { n: '2' }));
    assert.deepEqual(JSON.parse(next), { top_p: '0.5', seed: 100, stop: 'END', n: 2 });
  });

  it('writes invalid numbers as text, so neither side loses them', () => {
    const text = writeForm('{}', withNumbers(open('{}'), { temperature: ' 0,7 ', n: '2' }));
    assert.deepEqual(JSON.parse(text), { temperature: '0,7', n: 2 });
    assert.equal(open(text).numbers['temperature'], '0,7');
    assert.equal(writeForm(text, withNumbers(open(text), { temperature: '' })), '{\n  "n": 2\n}');
  });

  it('keeps a duplicate token, and removes a bias with its row', () => {
    const rows = [
      { token: '5', bias: '1' },
      { token: '5', bias: '' },
    ];
    const text = writeForm('{"n": 1}', { ...open('{"n": 1}'), logit_bias: rows });
    assert.deepEqual(open(text).logit_bias, rows);
    assert.deepEqual(JSON.parse(writeForm(text, { ...open(text), logit_bias: [] })), { n: 1 });
  });

  it('shows every parameter, and is empty for invalid JSON', () => {
    const { numbers, ...lists } = open('{}');
    assert.deepEqual(Object.keys({ ...numbers, ...lists }).toSorted(), completionParameterNames.toSorted());
    assert.equal(formOfText('{"n": '), undefined);
    assert.equal(writeForm('{"n": ', open('{"n": 2}')), '{"n": ');
  });
});
