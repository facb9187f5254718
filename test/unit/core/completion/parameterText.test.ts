import assert from 'node:assert/strict';
import { readParameterText } from '../../../../src/core/completion/parameterText';
import type { TextIssue } from '../../../../src/core/completion/parameterText';

const said = ({ fault, name, row, offset, length }: TextIssue, text: string) => ({
  kind: fault.kind === 'parameter' ? fault.issue.rule : fault.kind,
  ...(name && { name }),
  ...(row !== undefined && { row }),
  at: text.slice(offset, offset + length),
});
const read = (text: string) => {
  const { parameters, issues, root } = readParameterText(text);
  return { parameters, issues: issues.map((issue) => said(issue, text)), isBroken: root === undefined };
};

describe('completion parameters as JSON', () => {
  it('report no problems for an empty text', () => {
    for (const text of ['', ' \n', '{}']) {
      assert.deepEqual(read(text), { parameters: {}, issues: [], isBroken: false });
    }
  });

  it('read known properties next to any others, and report unknown ones', () => {
    const text = '{ "n": 2, "temprature": 1, "model": "x", "top_k": null, "n": 3, "seed": 4 }';
    assert.deepEqual(read(text), {
      parameters: { n: 2, seed: 4 },
      issues: [
        { kind: 'unknownName', at: '"temprature"' },
        { kind: 'elsewhere', at: '"model"' },
        { kind: 'twice', name: 'n', at: '"n"' },
      ],
      isBroken: false,
    });
  });

  it('omit a value with a problem', () => {
    const text = '{"n": 129, "top_p": "0.5", "top_k": "many", "logprobs": true, "stop": {"a": 1}, "seed": 1e999}';
    assert.deepEqual(read(text), {
      parameters: {},
      issues: [
        { kind: 'max', name: 'n', at: '129' },
        { kind: 'quoted', name: 'top_p', at: '"0.5"' },
        { kind: 'notNumber', name: 'top_k', at: '"many"' },
        { kind: 'type', name: 'logprobs', at: 'true' },
        { kind: 'type', name: 'stop', at: '{"a": 1}' },
        { kind: 'integer', name: 'seed', at: '1e999' },
      ],
      isBroken: false,
    });
  });

  it('omit only list entries with problems', () => {
    const text = JSON.stringify({ stop: ['END', 5, ''], logit_bias: { 7: -100, x: 1, 8: null, 9: 'a', 10: 200 } });
    assert.deepEqual(read(text), {
      parameters: { stop: ['END'], logit_bias: { 7: -100 } },
      issues: [
        { kind: 'type', name: 'stop', row: 1, at: '5' },
        { kind: 'noBias', name: 'logit_bias', row: 1, at: 'null' },
        { kind: 'notNumber', name: 'logit_bias', row: 2, at: '"a"' },
        { kind: 'max', name: 'logit_bias', row: 3, at: '200' },
        { kind: 'pattern', name: 'logit_bias', row: 4, at: '"x"' },
      ],
      isBroken: false,
    });
    assert.deepEqual(read('{"logit_bias": {"5": 1, "5": 2, "": null}, "stop": "END"}'), {
      parameters: { logit_bias: { 5: 1 }, stop: ['END'] },
      issues: [{ kind: 'twice', name: 'logit_bias', row: 1, at: '"5"' }],
      isBroken: false,
    });
  });

  for (const [text, kind, at] of [
    ['{"n": 2', 'syntax', ''],
    ['{"n" 2}', 'syntax', '2'],
    ['{"n": 2,}', 'syntax', '}'],
    ['{"n": 2} x', 'syntax', 'x'],
    ['{"n": 2 /* two */}', 'syntax', '/* two */'],
    ['[1]', 'notObject', '[1]'],
    ['\u0000', 'syntax', '\u0000'],
  ] as const) {
    it(`report the syntax error in ${JSON.stringify(text)}, and set no values`, () => {
      assert.deepEqual(read(text), { parameters: {}, issues: [{ kind, at }], isBroken: true });
    });
  }
});
