import assert from 'node:assert/strict';
import { createSlicer } from '../../../../webview/markdown/openSlices';
import { createMarkdownRenderer, type References } from '../../../../webview/markdown/renderer';
import { runs } from '../../../support/runs';

const renderer = createMarkdownRenderer();
const references = () => Object.create(null) as References;

/** Grows the block by `step` characters a time from `start`, and says what stands at the end and how much of it was fixed. */
function grow(source: string, start: number, step: number) {
  const slicer = createSlicer(source.slice(0, start), renderer, references);
  assert.ok(slicer);
  let fixed = '';
  let rest = '';
  for (let length = start; length < source.length + step; length += step) {
    const slice = slicer.next(source.slice(0, length));
    assert.ok(slice, `gave up at ${length}`);
    fixed += slice.fixed;
    rest = slice.rest;
  }
  return { html: slicer.open + fixed + rest + slicer.close, fixed: slicer.open + fixed };
}

const blocks = {
  paragraph: Array.from(
    { length: 400 },
    (_, i) => `Word ${i} is **bold ${i}** and \`code ${i}\`, see [a link](https://example.com/${i}). `,
  ).join(''),
  'wrapped paragraph': Array.from({ length: 400 }, (_, i) => `Line ${i} of *many* words here`).join('\n'),
  'tight list': Array.from({ length: 400 }, (_, i) => `- item **${i}** with words\n  - nested ${i}`).join('\n'),
  'loose list': Array.from({ length: 300 }, (_, i) => `- item **${i}** with words\n\n  and a second paragraph`).join(
    '\n\n',
  ),
  'list of code': Array.from({ length: 200 }, (_, i) => `- item ${i}\n  \`\`\`js\n  const x = ${i};\n  \`\`\``).join(
    '\n',
  ),
  table: `| a | b |\n|---|--:|\n${Array.from({ length: 400 }, (_, i) => `| cell **${i}** | ${i * 2} |`).join('\n')}`,
};

describe('rendering a long open block in parts', () => {
  for (const [name, source] of Object.entries(blocks)) {
    it(`matches a full render of a ${name}, and rerenders little of it`, () => {
      const whole = renderer.render(source, references());
      for (const step of runs([29, 997], [7, 61, 997])) {
        const { html, fixed } = grow(source, 3200, step);
        const differs = fixed.split('').findIndex((character, at) => character !== whole[at]);
        assert.equal(
          differs,
          -1,
          `step ${step}: ${fixed.slice(differs - 60, differs + 60)} | ${whole.slice(differs - 60, differs + 60)}`,
        );
        assert.ok(fixed.length > whole.length * 0.7, `step ${step}: only ${fixed.length} of ${whole.length}`);
        if (name !== 'list of code') assert.equal(html.trim(), whole.trim());
      }
    });
  }

  it('appends to an open code block, and hides a partial closing fence', () => {
    const source = `\`\`\`\`\n${'const x = "<b>";\n'.repeat(300)}\`\`\``;
    const { html } = grow(source, 3200, 50);
    assert.ok(html.endsWith('const x = &quot;&lt;b&gt;&quot;;\n</code></pre>\n'));
  });

  it('splits a paragraph without a single space, and never within a character', () => {
    const { fixed } = grow('😀'.repeat(12_000), 3200, 333);
    assert.ok(fixed.length > 10_000);
    assert.doesNotMatch(fixed, /[\uD800-\uDFFF]/u);
  });

  it("doesn't slow down on a delimiter that is never closed", () => {
    const { fixed } = grow(`*${'many words and no end '.repeat(2000)}`, 3200, 40);
    assert.ok(fixed.length > 30_000);
  });
});
