import assert from 'node:assert/strict';
import { vendorRules } from '../../../../src/core/profiles/vendorRules';
import type { ParameterForm } from '../../../../src/protocol/chatParameters';
import { parameterWarnings, readForm, toForm } from '../../../../src/features/chat/logic/parameterService';

const empty: ParameterForm = toForm({});
const read = (changes: Partial<ParameterForm>) => readForm({ ...empty, ...changes });

describe('the parameters form', () => {
  it('sets no parameters while it is empty', () => {
    assert.deepEqual(read({ system: '  \n', numbers: { temperature: ' ' }, stop_sequences: [''], prefill: ' ' }), {
      parameters: {},
      issues: [],
    });
  });

  it('parses entered values, and shows them as entered', () => {
    const typed: ParameterForm = {
      system: 'Be brief.\nBe kind.',
      numbers: { ...empty.numbers, max_tokens: '200', temperature: '0.7', top_p: '1', top_k: '0' },
      stop_sequences: ['END', '\\n\\n', 'a\\\\nb'],
      prefill: '{"a":',
      enable_thinking: 'off',
    };
    const { parameters, issues } = readForm(typed);
    assert.deepEqual(issues, []);
    assert.deepEqual(parameters, {
      system: 'Be brief.\nBe kind.',
      max_tokens: 200,
      temperature: 0.7,
      top_p: 1,
      top_k: 0,
      stop_sequences: ['END', '\n\n', 'a\\nb'],
      prefill: '{"a":',
      enable_thinking: false,
    });
    assert.deepEqual(toForm(parameters), typed);
  });

  for (const [name, typed, rule, bound] of [
    ['max_tokens', '0', 'min', 1],
    ['max_tokens', '1.5', 'integer', undefined],
    ['temperature', '2.01', 'max', 2],
    ['temperature', '-0.1', 'min', 0],
    ['top_p', '1.1', 'max', 1],
    ['top_k', '-1', 'min', 0],
    ['top_k', '3.5', 'integer', undefined],
  ] as const) {
    it(`doesn't set ${name} ${typed}, and names the violated bound`, () => {
      const { parameters, issues } = read({ numbers: { [name]: typed }, prefill: 'kept' });
      assert.deepEqual(parameters, { prefill: 'kept' });
      assert.equal(issues.length, 1);
      const [{ name: about, issue }] = issues as [(typeof issues)[0]];
      assert.deepEqual([about, issue?.rule, issue?.bound], [name, rule, bound]);
    });
  }

  for (const typed of ['0,7', '1,000', 'much', '1e3', '0x10', '--1', '.']) {
    it(`doesn't guess a value for "${typed}"`, () => {
      assert.deepEqual(read({ numbers: { temperature: typed } }), {
        parameters: {},
        issues: [{ name: 'temperature', issue: undefined }],
      });
    });
  }

  it('warns if the specification is stricter than practice, and sets the value', () => {
    const { parameters, issues } = read({ numbers: { top_p: '0.05', top_k: '80', temperature: '2' } });
    assert.deepEqual(issues, []);
    assert.deepEqual(
      parameterWarnings(parameters, vendorRules.bounds).map(({ parameter, rule, bound }) => [parameter, rule, bound]),
      [
        ['top_p', 'min', 0.1],
        ['top_k', 'max', 50],
      ],
    );
    assert.deepEqual(parameterWarnings(parameters, {}), []);
  });
});
