import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';

interface Declaration {
  readonly file: string;
  readonly selector: string;
  readonly property: string;
  readonly value: string;
}

/** Every declaration of a style sheet with the selector it stands under. */
function declarationsOf(file: string, text: string): readonly Declaration[] {
  const rules = text.replaceAll(/\/\*[^]*?\*\//g, '').matchAll(/([^{};]+)\{([^{}]*)\}/g);
  return [...rules].flatMap(([, selector = '', body = '']) =>
    body
      .split(';')
      .map((one) => /^\s*([\w-]+)\s*:\s*([^]+?)\s*$/.exec(one))
      .filter((found) => found !== null)
      .map(([, property = '', value = '']) => ({ file, selector: selector.trim(), property, value })),
  );
}

const colour =
  /#[\da-f]{3,8}\b|\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch)\((?!from var)|\b(?:white|black|gr[ae]y|silver|red|maroon|orange|yellow|green|lime|teal|cyan|aqua|blue|navy|purple|fuchsia|magenta|pink|brown|gold)\b/i;
/** What lies on pictures and videos, whose colours no theme knows. */
const onPictures = ['--desk-video-ground', '--desk-on-picture', '--desk-on-picture-ground'];

const faultsOf: Readonly<Record<string, (one: Declaration) => boolean>> = {
  'colors outside the theme': ({ property, value }) =>
    !onPictures.includes(property) && colour.test(value.replaceAll(/--[\w-]+/g, '')),
  'fonts outside the theme': ({ property, value, selector }) =>
    // Formulas need a font that says where their signs stand.
    (property === 'font-family' &&
      selector !== '.md math' &&
      !/^(?:inherit|var\(--vscode-(?:editor-)?font-family\))$/.test(value)) ||
    (property === 'font' && !/^(?:inherit|[\d.]+em var\(--vscode-editor-font-family\)|\d+px\/1 codicon)$/.test(value)),
  'font sizes outside the scale': ({ property, value, selector, file }) => {
    if (property !== 'font-size') return false;
    if (/^(?:inherit|var\(--desk-(?:small|smaller|title)\)|var\(--vscode-(?:editor-)?font-size, 13px\))$/.test(value))
      return false;
    // What a model writes has headings of its own; icons are drawn in these sizes.
    if (file.endsWith('markdown.css') && value.endsWith('em')) return false;
    return !(selector.includes('codicon') && /^(?:12|14|16|24|40)px$/.test(value));
  },
  'border radii outside the scale': ({ property, value, selector }) =>
    property === 'border-radius' &&
    !/^(?:0|50%|inherit|999px|var\(--desk-radius(?:-block|-bubble)?\)|0 var\(--desk-radius\) var\(--desk-radius\) 0|0 0 (var\(--desk-radius-bubble\)) \1)$/.test(
      value,
    ) &&
    // Drawings, smaller than a corner would be.
    !(/dot|shape|bar|track/.test(selector) && /^[123]px$/.test(value)),
};

describe('the style sheets of the pages', () => {
  const sheets = globSync('webview/**/*.css').map((file) => declarationsOf(file, readFileSync(file, 'utf8')));

  for (const [what, isFault] of Object.entries(faultsOf))
    it(`contain no ${what}`, () => {
      const faults = sheets.flat().filter(isFault);
      assert.deepEqual(
        faults.map(({ file, selector, property, value }) => `${file}: ${selector} { ${property}: ${value} }`),
        [],
      );
    });

  it('are all checked', () => {
    assert.ok(sheets.length > 40 && sheets.every((sheet) => sheet.length > 0));
    const planted = declarationsOf('x.css', '.a { color: #fff; font-size: 15px; font: 1px x; border-radius: 7px }');
    for (const isFault of Object.values(faultsOf)) assert.ok(planted.some(isFault));
  });
});
