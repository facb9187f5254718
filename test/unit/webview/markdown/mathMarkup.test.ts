import assert from 'node:assert/strict';
import { toMathMarkup } from '../../../../webview/markdown/mathMarkup';

describe('a formula as MathML', () => {
  it('is inline or a block, by its delimiters', () => {
    for (const source of ['$a_1$', '\\(a_1\\)'])
      assert.equal(toMathMarkup(source), '<math><msub><mi>a</mi><mn>1</mn></msub></math>');
    for (const source of ['$$a$$', '\\[a\\]', '$$\na\n$$', ' \\[ a \\] '])
      assert.match(toMathMarkup(source) ?? '', /^<math display="block"[^>]*><mi>a<\/mi><\/math>$/, source);
  });

  for (const [formula, part] of [
    ['\\frac{a}{b}', '<mfrac><mi>a</mi><mi>b</mi></mfrac>'],
    ['\\sqrt[3]{x}', '<mroot>'],
    ['\\sum_{i=1}^n i^2', '<munderover><mo movablelimits="false">∑</mo>'],
    ['\\int_0^\\infty e^{-x}\\,dx', '∞'],
    ['\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}', '<mtable>'],
    ['f(x)=\\begin{cases}1&x>0\\\\0&\\text{else}\\end{cases}', '<mtext>else</mtext>'],
    ['\\left\\langle a\\middle|b\\right\\rangle', '⟨'],
    ['\\mathbb{R}\\ni\\vec{v}', 'ℝ'],
    ['\\boxed{x}', 'border:1px solid'],
    ['\\textcolor{red}{x}', 'color:#ff0000'],
    ['\\cancelto{0}{x}', '<mi>x</mi>'],
    ['a &= b \\\\ &= c', '</mtr><mtr>'],
    ['x²+π≤∞', '<msup><mi>x</mi>'],
    ['\\ce{a}', ''],
  ] as const)
    it(part ? `consists of ${formula}` : `excludes unknown commands: ${formula}`, () => {
      const markup = toMathMarkup(`$$${formula}$$`);
      if (part === '') assert.equal(markup, undefined);
      else assert.ok(markup?.includes(part), markup);
    });

  it('numbers only lines with an explicit number', () => {
    const markup = toMathMarkup('\\[\\begin{align}a&=b\\\\c&=d\\tag{1}\\\\e&=f\\nonumber\\end{align}\\]') ?? '';
    assert.equal(markup.match(/<mtext class="tml-tag">\(1\)<\/mtext>/g)?.length, 1);
    assert.ok(!markup.includes('tml-eqn'));
    assert.match(toMathMarkup('$$x\\tag{a}$$') ?? '', /\(a\)/);
  });

  it('remains source while it is unclosed, and if it is invalid', () => {
    for (const source of [
      '$',
      '$$',
      '$$$$',
      '$a',
      '$$\na',
      '\\[a',
      '$\\frac{a$',
      '$\\unknown$',
      '$a}$',
      '$\\left( a$',
      '$ $',
    ])
      assert.equal(toMathMarkup(source), undefined, source);
  });

  it('creates no links, styles, definitions, or IDs', () => {
    for (const formula of [
      '\\href{https://evil.example}{x}',
      '\\href{javascript:alert(1)}{x}',
      '\\url{https://evil.example}',
      '\\includegraphics{https://evil.example/a.png}',
      '\\class{codicon}{x}',
      '\\id{a}{x}',
      '\\style{position:fixed}{x}',
      '\\data{a=b}{x}',
      '\\def\\a{b}\\a',
      '\\gdef\\a{b}\\a',
      '\\let\\a=b\\a',
      '\\newcommand{\\a}{b}\\a',
      '\\renewcommand{\\a}{b}\\a',
      '\\providecommand{\\a}{b}\\a',
      '\\global\\def\\a{b}\\a',
      '\\futurelet\\a\\b\\c',
      '\\eqref{a}',
      '\\label{a}',
      '\\ref{a}',
    ])
      assert.equal(toMathMarkup(`$${formula}$`), undefined, formula);
  });

  it('contains markup characters as text', () => {
    assert.match(toMathMarkup('$a<b>c\\&"$') ?? '', /&lt;.*&gt;.*&amp;.*/);
    const markup = toMathMarkup('$\\textcolor{x" onclick="a}{y}\\text{"\'}$');
    assert.ok(!/[^;]" onclick/.test(markup ?? ''), markup);
  });

  it('is rejected alone if it is large, deep, or grows during parsing', () => {
    const nested = (begin: string, end: string, times: number) => `$${begin.repeat(times)}x${end.repeat(times)}$`;
    for (const source of [
      `$${'x+'.repeat(2500)}x$`,
      nested('{', '}', 500),
      nested('\\left(', '\\right)', 100),
      // Each of these is built twice by what is around it.
      nested('\\llap{', '}', 35),
      nested('\\equilibriumRight{', '}', 35),
      `$\\begin{matrix}${'&'.repeat(1000)}${'\\\\'.repeat(1000)}\\end{matrix}$`,
      `$${'\\TeX'.repeat(600)}$`,
      `$${'x^'.repeat(2000)}x$`,
    ])
      assert.equal(toMathMarkup(source), undefined, source.slice(0, 30));
    assert.ok(toMathMarkup(nested('\\frac{1}{1+', '}', 20)));
    assert.ok(toMathMarkup('$x$'));
  });
});
