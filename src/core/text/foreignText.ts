/**
 * Characters that are invisible or change how other text is displayed: controls, direction marks, zero-width characters, tags. The
 * joiners needed by emoji and some scripts are not included.
 */
const unseen =
  /[\p{Bidi_Control}\p{Cs}\u00AD\u115F\u1160\u180B-\u180F\u200B\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF0-\uFFFB\u{E0000}-\u{E0FFF}]/gu;
const lineEnds = /\r\n?|[\n\u0085\p{Zl}\p{Zp}]/gu;
const controls = /(?!\t)[\p{Cc}\p{Zl}\p{Zp}]/gu;

/**
 * Makes an external value (from a service, a file name, a model, a column) safe for use in a sentence: on one line, without invisible
 * characters, without what VS Code renders as a link or icon, and up to `most` UTF-16 units long. Both ends are preserved, because IDs
 * differ there.
 */
export function foreign(value: string, most = 120): string {
  return foreignLine(value.length > most * 8 ? value : value.replaceAll(/\s+/g, ' '), most).trim();
}

/** Does the same for a complete line; preserves double spaces between its columns. */
export function foreignLine(text: string, most: number): string {
  return inert(
    shortenedMiddle(
      seen(beforeCut(text, most))
        .replaceAll('\t', ' ')
        .replaceAll(/\s{3,}/g, '  '),
      most,
    ),
  );
}

/** Does the same for a text, but preserves its lines. Links and icons are not defused: use it only where plain text is rendered. */
export function foreignLines(value: string, most: number): string {
  const lines = beforeCut(value, most).replaceAll(lineEnds, '\n').split('\n');
  return shortenedMiddle(lines.map((line) => seen(line)).join('\n'), most);
}

/**
 * Breaks up what VS Code renders as a link, `[label](target)`, or as an icon, `$(name)`, in text that isn't Markdown: in notifications,
 * prompts, and tree items. All characters remain readable.
 */
export function inert(text: string): string {
  return text.replaceAll('](', '] (').replaceAll('$(', '$ (');
}

/** Replaces unclosed brackets, for a text followed by a link of ours: an open bracket would extend that link's label. */
export function bracketsClosed(text: string): string {
  return text.replaceAll(/\[(?![^[\]]*\])/g, '(');
}

/** Escape sequences of terminals: what they would do, and what they set. */
const terminalSequences = new RegExp(
  String.raw`\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\_-])`,
  'g',
);

/** Removes what a terminal or a page would act on instead of showing it; preserves lines and everything that is visible. */
export function visibleText(text: string): string {
  return text
    .replaceAll(terminalSequences, '')
    .split('\n')
    .map((line) => line.replaceAll(controls, '').replaceAll(unseen, ''))
    .join('\n');
}

/** Puts a name on one line and escapes its Markdown. */
export function markdownName(text: string): string {
  return seen(text)
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(/[\\`*_{}[\]()#+!<>|~&]/gu, '\\$&')
    .trim();
}

/**
 * Escapes a text so that Markdown displays it literally, including line breaks and indents, without links. Long lines wrap between
 * words.
 */
export function escapeMarkdown(text: string): string {
  return text
    .replaceAll(lineEnds, '\n')
    .split('\n')
    .map((line) => {
      const shown = seen(line);
      const [indent = ''] = /^[ \t]+/.exec(shown) ?? [];
      const rest = shown.slice(indent.length).replaceAll(/[!-/:-@[-`{-~]/g, String.raw`\$&`);
      return '&nbsp;'.repeat(indent.replaceAll('\t', '  ').length) + rest;
    })
    .join('  \n')
    .replaceAll(/\n(?: {2}\n)+/g, '\n\n');
}

function seen(line: string): string {
  return line.replaceAll(controls, ' ').replaceAll(unseen, '');
}

/** Shortens a huge text beforehand, so that it costs no more than one that fits. Later removals may leave less than `most`. */
function beforeCut(text: string, most: number): string {
  const half = most * 4;
  return text.length <= half * 2 ? text : `${text.slice(0, half)}…${text.slice(-half)}`;
}

function shortenedMiddle(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = Math.ceil((most - 1) / 2);
  // Half a surrogate pair would be displayed as a box.
  return `${text.slice(0, head)}…${text.slice(text.length - (most - 1 - head))}`.replaceAll(/\p{Cs}/gu, '');
}
