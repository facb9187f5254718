import assert from 'node:assert/strict';
import { emptySnapshot } from '../support/chatHost';
import { chatPages } from '../support/chatPages';
import { formulas, turn } from '../support/chatStates';

describe('formulas in an answer', () => {
  const openPage = chatPages();
  const answered = (text: string) => emptySnapshot({ turns: [turn('q', { blocks: [{ kind: 'text', text }] })] });
  const streaming = () => emptySnapshot({ turns: [turn('stream', { state: 'waiting' })] });

  it('are rendered by the browser without inline styles or fonts', async () => {
    const { page } = await openPage(answered(formulas), { width: 460, height: 1000 });
    await page.locator('td .md-math-drawn').last().waitFor();
    assert.equal(await page.locator('math').count(), 12);
    assert.equal(await page.locator('math[display=block]').count(), 4);
    assert.deepEqual(await page.locator('.md-math:not(.md-math-drawn)').allTextContents(), ['$\\unknown{x}$']);
    const [fraction] = await page.locator('mfrac').evaluateAll((all) => all.map((one) => one.clientHeight));
    const [letter] = await page.locator('mi').evaluateAll((all) => all.map((one) => one.clientHeight));
    assert.ok(fraction! > 1.5 * letter!, `${fraction} over ${letter}`);
    const box = await page.locator('math mrow[scriptlevel]').evaluate((one) => getComputedStyle(one).borderTopWidth);
    assert.equal(box, '1px');
  });

  it('load their renderer only with the first formula', async () => {
    const { page } = await openPage(answered('A price of $5, `$a$` and\n\n```\n$$x$$\n```'));
    const loaded = () =>
      page.evaluate(
        () => performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/math.js')).length,
      );
    assert.equal(await loaded(), 0);
    const { page: other } = await openPage(answered('Then $x$ and $y$'));
    await other.locator('.md-math-drawn >> nth=1').waitFor();
  });

  it('are copied as source in place', async () => {
    const { page } = await openPage(answered('So $a_1 < b$ and $$c$$ hold.'));
    await page.locator('.md-math-drawn >> nth=1').waitFor();
    const copied = await page.locator('.md p').evaluate((paragraph) => {
      getSelection()?.selectAllChildren(paragraph);
      return getSelection()?.toString();
    });
    assert.equal(copied?.replaceAll(/\s+/g, ' ').trim(), 'So $a_1 < b$ and $$c$$ hold.');
  });

  it('are shown as source until they are complete, and rendered while the rest streams', async () => {
    const { page, host } = await openPage(streaming());
    await host.wasAsked('chat/follow');
    const say = (text: string) => host.emit({ type: 'append', block: 0, kind: 'text', text });
    say('First $x$ then $$\\frac{a}{b');
    await page.locator('.md-open .md-math', { hasText: 'frac' }).waitFor();
    assert.equal(await page.locator('.md-math', { hasText: 'frac' }).locator('math').count(), 0);
    say('}$$ and so on');
    await page.locator('.md-open mfrac').waitFor();
    assert.equal(await page.locator('.md-open math').count(), 2);
    host.finish({
      state: 'done',
      model: 'm',
      blocks: [{ kind: 'text', text: 'First $x$ then $$\\frac{a}{b}$$ and so on' }],
    });
    await page.locator('.md-part mfrac').waitFor();
  });

  it('are rendered once in a long paragraph that is rendered in parts', async () => {
    const { page, host } = await openPage(streaming());
    await host.wasAsked('chat/follow');
    const piece = 'Some words about $x_1$ and what it is. ';
    let text = '';
    for (let times = 0; times < 120; times++) {
      text += piece;
      host.emit({ type: 'append', block: 0, kind: 'text', text: piece });
      if (times % 12 === 0) await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
    }
    host.finish({ state: 'done', model: 'm', blocks: [{ kind: 'text', text }] });
    await page.locator('.md-part .md-math-drawn >> nth=119').waitFor();
    assert.equal(await page.locator('math').count(), 120);
    assert.equal(await page.locator('.md-math-source').count(), 120);
  });

  it('have no other effect, and cover no other content', async () => {
    const hostile = [
      '\\href{javascript:window.pwned=1}{x}',
      '\\includegraphics{https://evil.example/a.png}',
      '\\style{position:fixed;inset:0}{x}',
      '\\textcolor{red;position:fixed}{x}',
      '\\textcolor{url(https://evil.example/a.png)}{x}',
      '\\colorbox{url(https://evil.example/b.png)}{x}',
      '\\text{<img src=x onerror="window.pwned=1">}',
      '\\rule{999em}{999em}',
      'a\\kern{-999em}b',
      'a\\hspace{-999em}b',
      '\\raisebox{99em}{over}',
      '\\smash{\\rule{9em}{99em}}',
      '\\mathllap{over over over over over over over over over over}',
    ];
    const { page } = await openPage(
      answered(`${hostile.map((one) => `- So $${one}$ it is`).join('\n')}\n\nAt last $x$`),
    );
    await page.locator('p .md-math-drawn').waitFor();
    const found = await page.evaluate(() => ({
      pwned: 'pwned' in window,
      names: [...new Set([...document.querySelectorAll('.md-math *')].map(({ localName }) => localName))],
      positions: [...document.querySelectorAll('.md-math math, .md-math math *')].filter(
        (part) => getComputedStyle(part).position === 'fixed',
      ).length,
      // What is drawn outside of its own place is cut off there.
      overflows: [...document.querySelectorAll('.md-math-drawn')].map((one) => getComputedStyle(one).overflowY),
      addresses: document.querySelectorAll('.md-math [href], .md-math [src], .md-math [style*=url]').length,
      widest: Math.max(...[...document.querySelectorAll('.md-math')].map((one) => one.getBoundingClientRect().right)),
      width: document.body.clientWidth,
    }));
    assert.equal(found.pwned, false);
    assert.deepEqual(
      found.names.filter((name) => !/^(span|math|menclose|m[a-z]+)$/.test(name)),
      [],
    );
    assert.equal(found.positions + found.addresses, 0);
    assert.deepEqual([...new Set(found.overflows)], ['hidden']);
    assert.ok(found.widest <= found.width, `${found.widest} of ${found.width}`);
  });

  it('are laid out immediately at the maximum depth and size', async () => {
    const deep = [
      `$${'\\left('.repeat(39)}x${'\\right)'.repeat(39)}$`,
      `$${'\\frac{1}{'.repeat(39)}x${'}'.repeat(39)}$`,
      `$${'\\sqrt{'.repeat(39)}x${'}'.repeat(39)}$`,
      `$${'x^{'.repeat(39)}x${'}'.repeat(39)}$`,
      `$${'\\overbrace{'.repeat(39)}x${'}'.repeat(39)}$`,
      `$${'\\begin{matrix}'.repeat(39)}x${'\\end{matrix}'.repeat(39)}$`,
    ];
    const { page } = await openPage(answered(`${deep.join('\n\n')}\n\nAt last $x$`));
    await page.getByText('At last').locator('math').waitFor();
    assert.ok((await page.locator('math').count()) >= 5);
  });
});
