import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';

/** Returns the texts that the sources in `folder` localize: the first argument of every `l10n.t`. Throws if it isn't a plain string. */
export function localizedTexts(folder) {
  const texts = new Set();
  for (const file of globSync(`${folder}/**/*.{ts,tsx}`)) {
    const source = readFileSync(file, 'utf8');
    if (!source.includes('l10n')) continue;
    new Visitor({
      CallExpression({ callee, arguments: [text], start, end }) {
        if (callee.type !== 'MemberExpression' || callee.property.name !== 't') return;
        if (!/\bl10n$/.test(source.slice(callee.object.start, callee.object.end))) return;
        if (text?.type !== 'Literal' || typeof text.value !== 'string')
          throw new Error(`${file}: a translator cannot read ${source.slice(start, end)}`);
        texts.add(text.value);
      },
    }).visit(parseSync(file, source).program);
  }
  return texts;
}

/**
 * Writes the translations in two parts for each language, so that the package contains few texts twice: VS Code loads the host's part,
 * which the manifest names, and the host puts the pages' part into each page.
 */
export function writeTranslations() {
  rmSync('dist/l10n', { recursive: true, force: true });
  mkdirSync('dist/l10n', { recursive: true });
  const parts = { bundle: localizedTexts('src'), pages: localizedTexts('webview') };
  for (const file of globSync('media/l10n/bundle.l10n.*.json')) {
    const translations = Object.entries(JSON.parse(readFileSync(file, 'utf8')));
    for (const [part, texts] of Object.entries(parts)) {
      const used = translations.filter(([text]) => texts.has(text));
      writeFileSync(
        `dist/l10n/${path.basename(file).replace('bundle', part)}`,
        JSON.stringify(Object.fromEntries(used)),
      );
    }
  }
}
