import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { createMarkdownStream } from '../../../../webview/markdown/markdownStream';
import { createMarkdownRenderer, type References } from '../../../../webview/markdown/renderer';

const renderer = createMarkdownRenderer();

function whole(text: string): string {
  return renderer.render(text, Object.create(null) as References);
}

/** Feeds the pieces, settling after each, and puts the blocks together as a page would. */
function streamed(pieces: readonly string[]): string {
  const stream = createMarkdownStream(renderer);
  const blocks: string[] = [];
  const take = ({ settled, repaired }: ReturnType<typeof stream.step>) => {
    blocks.push(...settled);
    for (const { index, html } of repaired) blocks[index] = html;
  };
  for (const piece of pieces) {
    stream.push(piece);
    take(stream.step());
  }
  take(stream.end());
  return blocks.join('');
}

const lines = fc.constantFrom(
  'Some words and **bold** ones',
  'a `code` span',
  '`unclosed',
  '# Heading',
  '###### six',
  '===',
  '---',
  '***',
  '- - -',
  '-',
  '*',
  '- item',
  '* other item',
  '+ plus',
  '1. first',
  '2) second',
  '10. ten',
  '  - nested',
  '    - deeper',
  '  continued',
  '    indented code',
  '\ttabbed',
  '> quote',
  '>',
  '> > deeper',
  '> - in quote',
  '> ```',
  '```md',
  '~~~markdown',
  '- ```md',
  '- [ ] task',
  '- [x] done',
  'a claim[^1] and [^two]',
  '[^1]: its source',
  '[^two]: https://example.com/two',
  '> [^two]: quoted',
  'one<br>two<br/>',
  'H<sub>2</sub>O <kbd>Ctrl',
  '</kbd> x<sup>n',
  '**重点：**其次',
  '```',
  '```js',
  '````',
  '~~~',
  '~~~ts',
  '``` a`b',
  '   ```',
  '- ```',
  '  ```',
  'const x = 1;',
  '| a | b |',
  '|---|:-:|',
  '| 1 | 2 |',
  'a | b',
  '--|--',
  '',
  '',
  '',
  '   ',
  '$$',
  '\\[',
  '\\]',
  'x_1 = \\frac{a}{b_1}',
  'with $x_1$ and \\(y_2',
  'z\\) or $5',
  '[foo]',
  '[foo]: https://example.com',
  '[foo]: /other "title"',
  '[foo]:',
  '/url',
  '"title',
  'end of title"',
  "'t'",
  '[bar][foo]',
  '![img][foo]',
  '[x](https://a.example "t")',
  '[a]: <b c>',
  '[toString]',
  '[toString]: https://proto.example',
  '<div>',
  '</div>',
  '<!-- comment',
  '-->',
  '<script>alert(1)</script>',
  '&amp; &copy;',
  'line with two spaces  ',
  'backslash\\',
  'https://example.com/path',
  'x@example.com',
  '中文段落',
  '😀 emoji',
  'שלום',
  '\u202Eevil',
  '![beacon](https://evil.example/p.png)',
);
const ends = fc.constantFrom('\n', '\n', '\n', '\n', '\r\n', '\r');
const markdown = fc
  .array(fc.tuple(lines, ends), { maxLength: 30, size: 'max' })
  .map((parts) => parts.map(([line, end]) => line + end).join(''))
  .chain((text) => fc.tuple(fc.constant(text), fc.boolean()).map(([all, cut]) => (cut ? all.trimEnd() : all)));
const cuts = fc.array(fc.nat({ max: 400 }), { maxLength: 40, size: 'max' });

function pieces(text: string, at: readonly number[]): readonly string[] {
  const sorted = [...new Set(at.map((cut) => Math.min(cut, text.length)))].sort((a, b) => a - b);
  return [...sorted, text.length].map((cut, index) => text.slice(sorted[index - 1] ?? 0, cut));
}

interface MarkdownCase {
  readonly title: string;
  readonly text: string;
  readonly html: string;
}

const answers = JSON.parse(readFileSync('test/cases/chat/markdown.json', 'utf8')) as {
  readonly cases: readonly MarkdownCase[];
};

describe('Markdown from models', () => {
  for (const { title, text, html } of answers.cases) {
    it(title, () => {
      assert.equal(whole(text), html);
      assert.equal(streamed(text.split('')), html);
    });
  }
});

describe('a growing Markdown text', () => {
  it('ends with the same result as a complete render, for any split', () => {
    fc.assert(
      fc.property(markdown, cuts, (text, at) => {
        assert.equal(streamed(pieces(text, at)), whole(text));
      }),
      { numRuns: 3000 },
    );
  });

  for (const text of [
    '[a]: <b c>\n"title\n===\nend of title"\n',
    '[a]: /b\n"title\n--\nnot its end\n\nmore',
    '[a]: /b\n===\nmore\n\n[a]',
  ])
    it(`doesn't treat the title of a definition as a heading: ${JSON.stringify(text)}`, () => {
      assert.equal(streamed(text.split('')), whole(text));
    });

  it('ends with the same result when each character arrives alone', () => {
    fc.assert(
      fc.property(markdown, (text) => {
        assert.equal(streamed(text.split('')), whole(text));
      }),
      { numRuns: 400 },
    );
  });
});

describe('a formula', () => {
  const inCode = (text: string) => `<code class="md-math">${text}</code>`;

  it('is shown as its source, with any delimiters', () => {
    for (const source of ['$a_1 * b_2$', '\\(x_1 \\{ y_2 \\}\\)', '\\[\\frac{a}{b}\\]', '$$c_1*d_2$$', '$a$'])
      assert.equal(whole(`So *is* ${source}, here.`), `<p dir="auto">So <em>is</em> ${inCode(source)}, here.</p>\n`);
    for (const source of ['$$\nx_1\n= y_1\n- 2\n$$', '\\[\n\\begin{a}\n# b\n\\end{a}\n\\]'])
      assert.equal(
        whole(`Is:\n\n${source}\n\nSo`),
        `<p dir="auto">Is:</p>\n<p dir="ltr">${inCode(source)}</p>\n<p dir="auto">So</p>\n`,
      );
  });

  it('excludes prices, shell variables, escaped delimiters, and code', () => {
    for (const source of ['from $5 to $10 or US$20', '$5-$6', '$ a $', '`$a$`', '\\*a\\*'])
      assert.ok(!whole(source).includes('md-math'), source);
  });

  it('is fast if many are opened and none closed', () => {
    assert.ok(!whole('\\(a $b $$c '.repeat(20_000)).includes('md-math'));
  });
});
