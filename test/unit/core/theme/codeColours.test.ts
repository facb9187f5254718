import assert from 'node:assert/strict';
import { codeColours, readThemeFile } from '../../../../src/core/theme/codeColours';

const rulesOf = (text: string) => readThemeFile(text)?.rules ?? [];

describe('the colors of code in a theme', () => {
  it('are read from JSON with comments, single scopes, lists, and several scopes in one string', () => {
    const theme = readThemeFile(`{
      // what it builds on
      "include": "./base.json",
      "tokenColors": [
        { "scope": "comment, string", "settings": { "foreground": "#111111" } },
        { "scope": ["keyword.control"], "settings": { "foreground": "#222", "fontStyle": "italic" } },
      ],
    }`);
    assert.equal(theme?.include, './base.json');
    assert.deepEqual(theme?.rules, [
      { scope: 'comment', colour: '#111111' },
      { scope: 'string', colour: '#111111' },
      { scope: 'keyword.control', colour: '#222' },
    ]);
  });

  it('come from the most specific rule, or the last of equal ones', () => {
    const rules = [
      { scope: 'string', colour: '#000001' },
      { scope: 'constant', colour: '#000002' },
      { scope: 'constant.numeric', colour: '#000003' },
      { scope: 'constant.numeric', colour: '#000004' },
      { scope: 'constant.language.python', colour: '#000005' },
      { scope: 'source.css keyword', colour: '#000006' },
    ];
    const { number, literal, regexp, keyword, comment } = codeColours(rules);
    assert.deepEqual({ number, literal, regexp }, { number: '#000004', literal: '#000002', regexp: '#000001' });
    assert.deepEqual([keyword, comment], [undefined, undefined]);
  });

  it("are empty for a file that isn't a theme, and for invalid colors", () => {
    assert.equal(readThemeFile('<plist/>'), undefined);
    assert.equal(readThemeFile('[]'), undefined);
    assert.deepEqual(rulesOf('{"tokenColors": "./old.tmTheme"}'), []);
    const notColours = ['red', 'url(https://example.com)', 7, null];
    const tokenColors = notColours.map((foreground) => ({ scope: 'comment', settings: { foreground } }));
    assert.deepEqual(rulesOf(JSON.stringify({ tokenColors: [...tokenColors, null, { scope: 'x' }, 3] })), []);
  });
});
