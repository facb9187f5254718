import assert from 'node:assert/strict';
import { emptySnapshot } from '../support/chatHost';
import { chatPages } from '../support/chatPages';
import { turn } from '../support/chatStates';

const repeat = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => make(index)).join('');

/** Blocks long enough to be drawn piece by piece, each with something behind it. */
const texts: Readonly<Record<string, string>> = {
  paragraph: `${repeat(250, (i) => `Word ${i} with **bold**, \`code\` and [a link](https://example.com/${i}). `)}\n\nEnd.`,
  'paragraph with an open delimiter': `*${repeat(250, (i) => `word ${i} with \`code\` `)}\n\nEnd.`,
  'tight list': `${repeat(200, (i) => `- item **${i}** with \`code\`\n  - nested\n`)}\nEnd.`,
  'list that becomes loose': `${repeat(120, (i) => `- item ${i} with \`code\`\n`)}\n${repeat(60, (i) => `- loose ${i}\n\n`)}End.`,
  'numbered list with code': `${repeat(80, (i) => `${i + 1}. step\n\n   \`\`\`js\n   let a = ${i};\n   \`\`\`\n`)}\nEnd.`,
  table: `| a | b |\n|:--|--:|\n${repeat(200, (i) => `| cell \`${i}\` | ${i} |\n`)}\nEnd.`,
  'code block': `\`\`\`ts\n${repeat(300, (i) => `const a${i} = "<b>"; // ${i}\n`)}\`\`\`\nEnd.`,
  'code block in an unknown language': `\`\`\`none\n${repeat(300, (i) => `line ${i} <b> \u202E\n`)}\`\`\`\nEnd.`,
  quote: `${repeat(150, (i) => `> quoted line ${i} with \`code\`\n`)}\nEnd.`,
  'late definition': `${repeat(100, (i) => `A [name] in paragraph ${i}.\n\n`)}[name]: https://example.com/late\n`,
};

/** Colours come a little later than the code. */
const isColoured = () =>
  [...document.querySelectorAll('.md-part code[data-lang="ts"], .md-part code[data-lang="js"]')].every((code) =>
    code.querySelector('span'),
  );

describe('a streamed answer', () => {
  const open = chatPages();

  for (const [name, text] of Object.entries(texts)) {
    it(`looks the same as a complete one: ${name}`, async () => {
      const blocks = [{ kind: 'text', text }] as const;
      const turns = [
        turn('whole', { blocks }),
        turn('grown', { state: 'streaming', blocks: [{ kind: 'text', text: '' }] }),
      ];
      const { page, host } = await open(emptySnapshot({ turns }));
      await host.wasAsked('chat/follow');
      for (let at = 0; at < text.length; at += 97) {
        host.emit({ type: 'append', block: 0, kind: 'text', text: text.slice(at, at + 97) });
        if (at % 970 === 0) await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
      }
      host.finish({ state: 'done', model: 'm', blocks });
      const last = page.locator('.turn').last();
      await last.locator('.facts-text').waitFor({ state: 'attached' });
      await page.waitForFunction(isColoured);
      const grown = await last.locator('.md').evaluate((element) => element.innerHTML);
      // The other stands far above it by now, where nothing is drawn.
      await page.locator('.log').evaluate((log) => (log.scrollTop = 0));
      await page.locator('.turn').first().locator('.md-part').first().waitFor();
      await page.waitForFunction(isColoured);
      const whole = await page
        .locator('.md')
        .first()
        .evaluate((element) => element.innerHTML);
      assert.ok(whole && whole.length > 1000);
      assert.equal(grown, whole);
    });
  }
});
