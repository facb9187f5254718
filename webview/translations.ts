import * as l10n from '@vscode/l10n';

/** The host writes the pages' translations into the page, unless its language is English. */
const contents = document.getElementById('translations')?.textContent;
if (contents) l10n.config({ contents });
