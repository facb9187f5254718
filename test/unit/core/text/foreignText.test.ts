import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  bracketsClosed,
  escapeMarkdown,
  foreign,
  foreignLine,
  foreignLines,
  inert,
  visibleText,
} from '../../../../src/core/text/foreignText';

/** As the editor (1.139) finds links in notifications, progress and prompts. */
const link = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;
const icon = /\$\([a-z0-9-]+(?:~[a-z0-9-]+)?\)/i;
const command = '[Free credit](command:workbench.action.terminal.new?%7B%7D)';

const signs = [
  '[',
  ']',
  '(',
  ')',
  '](',
  '$(',
  'command:',
  'https://',
  'file:',
  'zap',
  ' ',
  '\n',
  '\r',
  '\t',
  '<',
  '>',
  '`',
  '_',
  '\u200B',
  '\u2060',
  '\u00AD',
  '\u202E',
  '\u2066',
  '\u2028',
  '\u0000',
  '\u001B[31m',
  '\u{E0041}',
  '\uFEFF',
  '\uD800',
] as const;

/** Texts made of what the editor looks for, and of what hides in between. */
const hostile = fc
  .array(fc.oneof(fc.constantFrom(...signs), fc.string({ maxLength: 4, unit: 'grapheme' })), { maxLength: 60 })
  .map((parts) => parts.join(''));

describe('untrusted text', () => {
  it('never contains links, icons, or invisible characters that VS Code would render', () => {
    fc.assert(
      fc.property(hostile, fc.integer({ min: 1, max: 200 }), (text, most) => {
        for (const shown of [foreign(text, most), foreignLine(text, most)]) {
          assert.doesNotMatch(shown, link);
          assert.doesNotMatch(shown, icon);
          assert.doesNotMatch(
            shown,
            /[\p{Cc}\p{Cs}\p{Bidi_Control}\p{Zl}\p{Zp}\u200B\u2060-\u206F\u{E0000}-\u{E0FFF}]/u,
          );
          // The blanks that break a link come on top.
          assert.ok(inertLength(shown) <= most, `${shown.length} of ${most}`);
        }
        assert.doesNotMatch(foreignLines(text, most), /[\p{Cs}\p{Bidi_Control}\u200B]|(?![\n\t])\p{Cc}/u);
      }),
      { numRuns: 2000 },
    );
  });

  it('is unchanged if it is harmless, in any language', () => {
    const harmless = [
      'a name (2).jsonl',
      'Größe – 12 €',
      '模型 / 名称',
      '👩‍👩‍👧 family',
      'می‌خواهم',
      'vendor/model-1.5:free',
      'a[0] = b(1)',
    ];
    for (const text of harmless) {
      assert.equal(foreign(text), text);
      assert.equal(foreignLines(text, 100), text);
    }
  });

  it('shows a link literally, so the user sees what was tried', () => {
    assert.equal(foreign(command, 200), '[Free credit] (command:workbench.action.terminal.new?%7B%7D)');
    assert.equal(inert('$(zap) on'), '$ (zap) on');
  });

  it("doesn't change the label of a link after it", () => {
    for (const text of ['[free.jsonl', 'a [b] [c [d', '[slug].jsonl']) {
      const [, label] = link.exec(`${bracketsClosed(text)}: 3 of 9 · [Pause](command:x)`) ?? [];
      assert.equal(label, 'Pause', text);
    }
    assert.equal(bracketsClosed('[slug].jsonl [2]'), '[slug].jsonl [2]');
  });

  it('keeps both ends of a long text, at a constant cost for many megabytes', () => {
    assert.equal(foreign('abcdefghij', 7), 'abc…hij');
    const long = `begin${' \u200B['.repeat(5_000_000)}end`;
    assert.match(foreign(long, 40), /^begin.*…?.*end$/);
  });

  it('keeps the lines of a complete text, and removes bidirectional characters', () => {
    assert.equal(foreignLines('a\r\n  b\rc\u2028d\u202E\u001B[1m', 100), 'a\n  b\nc\nd [1m');
  });

  it("isn't Markdown: special characters are escaped, and hidden ones removed", () => {
    assert.equal(
      escapeMarkdown('<file:///etc/passwd> www.a.b [x](y)'),
      String.raw`\<file\:\/\/\/etc\/passwd\> www\.a\.b \[x\]\(y\)`,
    );
    assert.equal(escapeMarkdown('a\n  b\n\n\nc\u202E'), 'a  \n&nbsp;&nbsp;b  \n\nc');
    fc.assert(
      fc.property(hostile, (text) => {
        assert.doesNotMatch(
          escapeMarkdown(text)
            .replaceAll(/\\[!-/:-@[-`{-~]/g, '')
            .replaceAll('&nbsp;', ''),
          /[!-/:-@[-`{-~]/,
        );
      }),
    );
  });
});

/** Without the blanks that `inert` put in. */
function inertLength(text: string): number {
  return text.replaceAll('] (', '](').replaceAll('$ (', '$(').length;
}

describe('visibleText', () => {
  it('removes escape sequences, controls, and direction marks, and keeps lines and tabs', () => {
    const text = 'a\u001b[31mred\u001b[0m\u001b]8;;http://x\u0007link\u001b]8;;\u001b\\ \u202eb\u0007\n\tc\u009b1m 👩‍🚀';
    assert.equal(visibleText(text), 'aredlink b\n\tc1m 👩‍🚀');
  });
});
