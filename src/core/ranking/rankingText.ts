import * as l10n from '@vscode/l10n';

/** A ranked document, as it is copied. */
export interface CopiedDocument {
  /** From 1. */
  readonly rank: number;
  readonly score: number;
  readonly text: string;
  /** E.g. `notes.md:12`. */
  readonly place: string;
  /** Its index in the documents that were ranked. */
  readonly index: number;
}

export interface CopiedRanking {
  readonly query: string;
  readonly model: string;
  /** Best first. */
  readonly documents: readonly CopiedDocument[];
}

/** A ranking for another program: the documents alone in a numbered list, a table of Markdown, or all of it as JSON. */
export function rankingText(ranking: CopiedRanking, as: 'list' | 'markdownTable' | 'json'): string {
  switch (as) {
    case 'list':
      return list(ranking);
    case 'markdownTable':
      return table(ranking);
    case 'json':
      return `${JSON.stringify(ranking, undefined, 2)}\n`;
  }
}

/** Lines of a document after its first are indented to stay within its item. */
function list({ documents }: CopiedRanking): string {
  const items = documents.map(({ rank, text }) => {
    const marker = `${rank}. `;
    return marker + text.replaceAll(/\r\n|\r|\n/g, `\n${' '.repeat(marker.length)}`);
  });
  return items.map((item) => `${item}\n`).join('');
}

function table({ documents }: CopiedRanking): string {
  const head = [l10n.t('Rank'), l10n.t('Score'), l10n.t('Document'), l10n.t('Place')].map(cell);
  const rows = documents.map(({ rank, score, text, place }) => [String(rank), String(score), cell(text), cell(place)]);
  return [head, ['---:', '---:', '---', '---'], ...rows].map((row) => `| ${row.join(' | ')} |\n`).join('');
}

/** One line, in which nothing ends the cell, is a mark of Markdown or a tag of HTML. */
function cell(text: string): string {
  return text
    .trim()
    .replaceAll(/[\\`*_[\]<>|~$&]/g, String.raw`\$&`)
    .replaceAll(/\s*(?:\r\n|\r|\n)\s*/g, '<br>')
    .replaceAll(/\s+/g, ' ');
}
