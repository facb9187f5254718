import { deepEqual } from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { readSourceWords, type SourceWords } from '../support/sourceWords';

/** Said to models, written into the log or into the record of an exchange: the same in every language. */
const untranslatedFiles =
  /^src\/(features\/(agentTools|publicApi)\/|features\/chat\/tools\/editorTools|services\/(diagnostics\/exchangeText|account\/connections|batches\/batchJobs|media\/mediaJobs)\.ts|platform\/webview\/webviewHtml\.ts)/;

/** Names that are the same in every language, and a question about samples in English. */
const names =
  /^(Markdown|JSON|JUnit XML|CSV|PNG|JPEG|Alt\+\\|https:\/\/api\.example\.com\/v1|[a-z]+(_[a-z]+)+|model|temperature|How do I get my money back\?)$/;

/** Parts of file names, of drawings and of the log. */
const plainFormats = /videoActions\.ts|recording\.tsx|exchangeLine\.ts|problemReports\.ts|agentTools|pageView\.ts/;

const shown = (found: SourceWords['untranslated']) => found.map(({ file, line, text }) => `${file}:${line} ${text}`);

describe('texts in the source', () => {
  const all = ['src/features', 'src/services', 'src/platform', 'webview'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => readSourceWords(`${folder}/${name}`)),
  );

  it('are translated if they are visible to users', () => {
    const found = all.flatMap(({ untranslated }) => untranslated);
    const wrong = found.filter(({ file, text }) => !untranslatedFiles.test(file) && !names.test(text));
    deepEqual(shown(wrong), [], 'Say these by l10n.t');
  });

  it('have numbers, dates, and lists in the display language', () => {
    const found = all.flatMap(({ unlocalised }) => unlocalised).filter(({ file }) => !plainFormats.test(file));
    deepEqual(shown(found), [], 'Format these by src/protocol/formats.ts');
  });

  const untranslated: readonly string[] = [
    `item.tooltip = 'Copy';`,
    `const item = { label: isNew ? 'New' : l10n.t('Old') };`,
    'const item = { description: `$(add) ${count} files` };',
    `void vscode.window.showErrorMessage('Failed');`,
    `throw new UserError(l10n.t('It failed'), 'Again');`,
    `const parts = [l10n.t('One'), 'nothing was sent.'];`,
    `const view = <p>Hello</p>;`,
    `const view = <button title="Copy" />;`,
    `const view = <button aria-label={isOpen ? 'Close' : strings.open} />;`,
  ];
  for (const code of untranslated) {
    it(`are detected as untranslated in: ${code}`, () => {
      deepEqual(readSourceWords('src/features/x.tsx', code).untranslated.length, 1);
    });
  }

  const unlocalised: readonly string[] = [
    `const text = new Intl.NumberFormat('en').format(1);`,
    `const text = count.toLocaleString();`,
    `const text = score.toFixed(2);`,
    `const text = names.join(', ');`,
  ];
  for (const code of unlocalised) {
    it(`are detected as not localized in: ${code}`, () => {
      for (const file of ['src/features/x.ts', 'webview/x.ts'])
        deepEqual(readSourceWords(file, code).unlocalised.length, 1, file);
    });
  }

  it('are allowed in internal code, and in calls that translate', () => {
    const code = `log.warn('It is not there.'); throw new Error('Never here: it is a fault.');
      const item = { label: l10n.t('Open'), id: 'Open', tooltip: l10n.t('{0} files', 'none') };
      const view = <p class="of this page">{strings.title}</p>;`;
    deepEqual(readSourceWords('src/features/x.tsx', code), { untranslated: [], unlocalised: [] });
  });
});
