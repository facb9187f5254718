/**
 * What is not drawn, or draws something else than it says: controls, marks that turn the direction of a line, characters without width,
 * tags. The joiners that emoji and some scripts are written with stay.
 */
const unseen =
  /[\p{Bidi_Control}\p{Cs}\u00AD\u115F\u1160\u180B-\u180F\u200B\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF0-\uFFFB\u{E0000}-\u{E0FFF}]/gu;
const lineEnds = /\r\n?|[\n\u0085\p{Zl}\p{Zp}]/gu;
const controls = /(?!\t)[\p{Cc}\p{Zl}\p{Zp}]/gu;

/**
 * A value from elsewhere (a service, a file's name, a model, a column) as it may stand in a sentence: on one line, without what cannot be
 * seen, without what an editor takes for a link or an icon, and at most `most` characters (UTF-16) long; both ends are kept, as ids differ there.
 */
export function foreign(value: string, most = 120): string {
  return foreignLine(value.length > most * 8 ? value : value.replaceAll(/\s+/g, ' '), most).trim();
}

/** The same for a whole line that is put together already: its columns of two blanks stay. */
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

/** The same for a text whose lines stay. Neither links nor icons are looked for: it is for places that draw plain text. */
export function foreignLines(value: string, most: number): string {
  const lines = beforeCut(value, most).replaceAll(lineEnds, '\n').split('\n');
  return shortenedMiddle(lines.map((line) => seen(line)).join('\n'), most);
}

/**
 * Breaks what the editor draws as a link, `[label](target)`, and as an icon, `$(name)`, in texts that are not Markdown: in notifications,
 * prompts and rows. Every letter stays readable.
 */
export function inert(text: string): string {
  return text.replaceAll('](', '] (').replaceAll('$(', '$ (');
}

/** For a text with a link of ours behind it: an open bracket would make all up to the link's own label a part of that. */
export function bracketsClosed(text: string): string {
  return text.replaceAll(/\[(?![^[\]]*\])/g, '(');
}

/** The same text, drawn as it is by Markdown, its lines and indents too, and with no part of it a link. Long lines wrap between words. */
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

/** So that a text of many megabytes costs no more than one that fits. What is taken out of it later may leave it shorter than `most`. */
function beforeCut(text: string, most: number): string {
  const half = most * 4;
  return text.length <= half * 2 ? text : `${text.slice(0, half)}…${text.slice(-half)}`;
}

function shortenedMiddle(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = Math.ceil((most - 1) / 2);
  // Half of a surrogate pair would be drawn as a box.
  return `${text.slice(0, head)}…${text.slice(text.length - (most - 1 - head))}`.replaceAll(/\p{Cs}/gu, '');
}
