import assert from 'node:assert/strict';
import { cursorAt } from '../../../../src/core/prompts/cursor';
import { promptQuickFixesOf } from '../../../../src/core/prompts/quickFixes';
import { modelProblems } from '../../../../src/core/prompts/promptProblems';
import type { PromptProblemCode } from '../../../../src/core/prompts/promptProblems';
import { mostComparedModels } from '../../../../src/core/prompts/prompt';
import { readPrompt } from '../../../../src/core/prompts/readPrompt';
import { mostCompared } from '../../../../src/protocol/chatBounds';

/** Where the cursor is at `|`: its kind, the way to it, and what is typed there. */
function at(marked: string): unknown {
  const offset = marked.indexOf('|');
  const file = marked.slice(0, offset) + marked.slice(offset + 1);
  const cursor = cursorAt(file, offset);
  if (cursor.kind === 'text') return 'text';
  return [cursor.kind, cursor.path.join('.'), file.slice(cursor.span.start, cursor.span.end)];
}

/** The file after each mend of its first problem of this kind. */
function mended(file: string, code: PromptProblemCode): readonly string[] {
  const problem = readPrompt(file).problems.find((one) => one.code === code);
  assert.ok(problem, code);
  return promptQuickFixesOf(file, problem).map(({ edits }) =>
    edits
      .toSorted((a, b) => b.start - a.start)
      .reduce((text, { start, end, text: written }) => text.slice(0, start) + written + text.slice(end), file),
  );
}

describe('the cursor in a prompt file', () => {
  it('is at a key, a value, or in the prompt, also in incomplete YAML', () => {
    assert.deepEqual(at('---\nmo|\n---\n'), ['key', '', 'mo']);
    assert.deepEqual(at('---\n|\n---\n'), ['key', '', '']);
    assert.deepEqual(at('---\nmodel: a/|b\n---\n'), ['value', 'model', 'a/b']);
    assert.deepEqual(at('---\r\nmodel:| \r\nx: "\r\n---\r\n'), ['value', 'model', '']);
    assert.deepEqual(at('---\r\nmodel: |\r\nx: "\r\n---\r\n'), ['value', 'model', '']);
    assert.deepEqual(at('---\nmodels: [a, b|c, d]\n---\n'), ['value', 'models', 'bc']);
    assert.deepEqual(at('---\nmodels:\n- a\n- |\n---\n'), ['value', 'models', '']);
    assert.deepEqual(at('---\nparameters:\n  te|mp: 1\n---\n'), ['key', 'parameters', 'temp']);
    assert.deepEqual(at('---\nparameters:\n  temperature: |'), ['value', 'parameters.temperature', '']);
    assert.deepEqual(at('---\nvariables:\n  tone:\n    options: [a]\n    d|\n---\n'), ['key', 'variables.tone', 'd']);
    assert.equal(at('---\nsystem: |\n---\n'), 'text');
    assert.equal(at('---\nsystem: >\n  You |are\n---\n'), 'text');
    assert.equal(at('---\nmodel: a\n---\nmodel: |'), 'text');
    assert.equal(at('|'), 'text');
  });

  it('has access to neighboring keys', () => {
    const file = '---\nmodel: a\nparameters:\n  top_k: 1\n\n  \nsystem: x\n---\n';
    const inner = cursorAt(file, file.indexOf('  \n') + 2);
    const outer = cursorAt(file, 4);
    assert.deepEqual(inner.kind === 'key' && inner.others, ['top_k']);
    assert.deepEqual(outer.kind === 'key' && outer.others, ['parameters', 'system']);
  });
});

describe('a problem of a prompt file', () => {
  it('is fixed by a declaration wherever there is space', () => {
    const declare = (file: string) => mended(file, 'variable.undeclared')[0];
    assert.equal(declare('{{a}}'), '---\nvariables:\n  a:\n---\n\n{{a}}');
    assert.equal(declare('\ufeff{{a}}\r\n'), '\ufeff---\r\nvariables:\r\n  a:\r\n---\r\n\r\n{{a}}\r\n');
    assert.equal(declare('---\nmodel: x\n---\n{{true}}'), '---\nmodel: x\nvariables:\n  "true":\n---\n{{true}}');
    assert.equal(
      declare('---\nvariables:\n    b: 1\n\n    c:\n      default: 2\nmodel: x\n---\n{{a}}{{b}}{{c}}'),
      '---\nvariables:\n    b: 1\n\n    c:\n      default: 2\n    a:\nmodel: x\n---\n{{a}}{{b}}{{c}}',
    );
    assert.equal(declare('---\nvariables: {b: 1}\n---\n{{a}}{{b}}'), '---\nvariables: { a: ,b: 1}\n---\n{{a}}{{b}}');
    for (const file of ['{{a}}', '---\nvariables: {b: 1}\n---\n{{a}}{{b}}', '---\nvariables:\n---\n{{a}}']) {
      assert.deepEqual(readPrompt(declare(file) ?? '').problems, []);
    }
  });

  it('is fixed by the intended name, or kept', () => {
    assert.deepEqual(mended('{{selektion}}', 'variable.undeclared').slice(1), ['{{selection}}', '\\{{selektion}}']);
    assert.deepEqual(mended('---\nmodle: a\n---\nx', 'key.unknown')[0], '---\nmodel: a\n---\nx');
    assert.deepEqual(mended('---\nparameters: { temperature: 3 }\n---\nx', 'parameter.out-of-bounds'), [
      '---\nparameters: { temperature: 2 }\n---\nx',
    ]);
  });

  it('is fixed by removing unused parts, and moving misplaced ones', () => {
    const file = '---\nvariables:\n  a:\n    default: 1\n  b: 2\nmodel: x\n---\n{{b}}';
    assert.deepEqual(mended(file, 'variable.unused'), ['---\nvariables:\n  b: 2\nmodel: x\n---\n{{b}}']);
    assert.deepEqual(mended('---\r\nvariables:\r\n  a: 1\r\n---\r\nx', 'variable.unused'), ['---\r\n---\r\nx']);
    assert.deepEqual(mended('---\nvariables: {a: 1}\n---\nx', 'variable.unused'), []);
    assert.deepEqual(mended('---\ntop_k: 3\nparameters:\n  top_p: 1\n---\nx', 'key.misplaced'), [
      '---\nparameters:\n  top_p: 1\n  top_k: 3\n---\nx',
    ]);
    assert.deepEqual(mended('---\nparameters:\n  top_p: 1\n  system: |\n    Be\n     brief\n---\nx', 'key.misplaced'), [
      '---\nparameters:\n  top_p: 1\nsystem: |\n  Be\n   brief\n---\nx',
    ]);
  });
});

describe('the models of a prompt file', () => {
  const model = (id: string, subType: 'chat' | 'embedding') => ({ id, types: [], subTypes: [subType] }) as const;
  const codes = (file: string, listed = [model('a/chat', 'chat'), model('a/embed', 'embedding')]) =>
    [...modelProblems(readPrompt(file).prompt, listed)].map(({ code, suggestions }) => [code, suggestions?.[0]]);

  it('are chat models, if the list is known', () => {
    assert.deepEqual(codes('---\nmodel: a/chat\nmodels: [a/chat, b/chat, a/embed]\n---\nx'), [
      ['model.unknown', 'a/chat'],
      ['model.not-chat', undefined],
    ]);
    assert.deepEqual(codes('---\nmodel: gone\n---\nx', []), []);
  });

  it('are limited to the number that the chat compares', () => {
    assert.equal(mostComparedModels, mostCompared);
    assert.deepEqual(codes('---\nmodels: [a, b, c, d, e]\n---\nx', []), [['models.too-many', undefined]]);
  });
});
