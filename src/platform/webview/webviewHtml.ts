export interface PageOptions {
  readonly screen: string;
  readonly title: string;
  /** The part of the editor around it, whose background it uses. */
  readonly place: 'editor' | 'view';
  /** The editor's display language, e.g. `en` or `zh-cn`. */
  readonly language: string;
  /** Name of the page in its messages; new for each page. */
  readonly page: string;
  /** New for each page. */
  readonly nonce: string;
  readonly cspSource: string;
  readonly scriptUri: string;
  readonly styleUri: string;
  /** The pages' translations into the display language as JSON, `undefined` in English. */
  readonly translations: string | undefined;
}

/**
 * Returns the HTML of a screen. It can load only our script, style, font, and saved media: no network, no frames, no inline script, no
 * worker except of our own script, and HTML strings only through named policies.
 */
export function toHtml(options: PageOptions): string {
  const { screen, title, place, language, page, nonce, cspSource, scriptUri, styleUri, translations } = options;
  return `<!DOCTYPE html>
<html lang="${escape(language)}">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="${escape(contentSecurityPolicy(cspSource, nonce))}">
<meta name="viewport" content="width=device-width, initial-scale=1.0">
<title>${escape(title)}</title>
<link rel="stylesheet" href="${escape(styleUri)}">
</head>
<body data-screen="${escape(screen)}" data-place="${place}" data-page="${escape(page)}">
${translations === undefined ? '' : jsonElement('translations', translations)}<script nonce="${escape(nonce)}" src="${escape(scriptUri)}"></script>
</body>
</html>
`;
}

export function contentSecurityPolicy(cspSource: string, nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${cspSource} 'nonce-${nonce}'`,
    `font-src ${cspSource}`,
    `img-src ${cspSource} blob: data:`,
    `media-src ${cspSource} blob:`,
    // Code is highlighted in a worker created from a part of our script.
    'worker-src blob:',
    "connect-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-src 'none'",
    "require-trusted-types-for 'script'",
    // For the sanitizer of answers, the toolkit's element templates, and the worker.
    'trusted-types dompurify fast-html code-colours',
  ].join('; ');
}

/** Returns an element with JSON that the page reads. No text in it can end the element. */
function jsonElement(id: string, json: string): string {
  return `<script type="application/json" id="${id}">${json.replaceAll('<', '\\u003c')}</script>\n`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
