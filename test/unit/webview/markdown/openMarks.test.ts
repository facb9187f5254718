import assert from 'node:assert/strict';
import { withoutOpenMarks } from '../../../../webview/markdown/openMarks';
import { createMarkdownRenderer, type References } from '../../../../webview/markdown/renderer';

const renderer = createMarkdownRenderer();
const render = (source: string) => renderer.render(source, Object.create(null) as References);
const drawn = (source: string) => render(withoutOpenMarks(source));
const textOf = (html: string) =>
  html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Where a text is cut, what of its marks a person would see. */
function seen(source: string, marks: RegExp): readonly string[] {
  const texts = Array.from(source, (_, length) => textOf(drawn(source.slice(0, length + 1))));
  return texts.filter((text) => marks.test(text));
}

describe('the end of a growing text', () => {
  it('never shows a delimiter of an emphasis, code, link, image, or autolink', () => {
    for (const source of [
      'So **bold** and *slanted*, ***both***, __bold__ or _so_, ~~gone~~ too.',
      'A `span`, ``a ` tick`` and **bold `code` in it**.',
      '- **Item**: its *words*\n- [ ] task\n- a `b`',
      '中文**粗体**，*斜体*。',
      '> **quoted**\n\n## A *heading*',
    ])
      assert.deepEqual(seen(source.replace('[ ] ', ''), /[*_~]|(?<!a )`/), [], source);
    assert.deepEqual(seen('See [the **notes**](https://v8.dev/a_b) or <https://a.example>.', /[[\]*<>]|\(http/), []);
    assert.deepEqual(seen('An ![image of it](https://evil.example/p.png) here', /!|\[|\(/), []);
  });

  it('shows an open construct in its final form', () => {
    const same = (open: string, whole: string) => assert.equal(drawn(open), render(whole), open);
    same('So **bo', 'So **bo**');
    same('So **bold and *sla', 'So **bold and *sla***');
    same('Run `npm i', 'Run `npm i`');
    same('Is \\(a_1 + b_', 'Is \\(a_1 + b_\\)');
    same('See [the no', 'See ');
    same('See [the notes](https://v8.', 'See ');
    same('Words\n-', 'Words');
    same('Words\n1.', 'Words');
    same('Words\n``', 'Words');
    same('| a | b |', '');
    same('| a | b |\n|--', '');
    same('| a | b |\n|---|---|\n| **x', '| a | b |\n|---|---|\n| **x**');
    same('```ts\nconst a = 1;\n``', '```ts\nconst a = 1;\n');
  });

  it("doesn't change literal characters", () => {
    for (const source of [
      '2 * 3 = 6 and 2**3',
      'snake_case_name and a*b',
      'array[0] is first, [1] too',
      'from $5 to',
      '```md\n**not bold',
      `[${'long '.repeat(80)}`,
      'a < b',
      '| is a pipe |\nand more',
    ])
      assert.equal(withoutOpenMarks(source), source);
  });
});
