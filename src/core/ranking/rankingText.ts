import * as l10n from '@vscode/l10n';

/** A ranked document in its copied form. */
export interface CopiedDocument {
  /** From 1. */
  readonly rank: number;
  readonly score: number;
  readonly text: string;
  /** E.g. `notes.md:12`. */
  readonly place: string;
  /** Its index among the documents that were ranked. */
  readonly index: number;
}

export interface CopiedRanking {
  readonly query: string;
  readonly model: string;
  /** Best first. */
  readonly documents: readonly CopiedDocument[];
}

/** Formats a ranking for another program: the documents as a numbered list, a Markdown table, or everything as JSON. */
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

/** Indents the further lines of a document so that they stay within its list item. */
function list({ documents }: CopiedRanking): string {
  const items = documents.map(({ rank, text }) => {
    const marker = `${rank}. `;
    return marker + text.replaceAll(/\r\n|\r|\n/g, `\n${' '.repeat(marker.length)}`);
  });
  return items.map((item) => `${item}\n`).join('');
}

function table({ documents }: CopiedRanking): string {
  const head = [l10n.t('Rank'), l10n.t('Score'), l10n.t('Document'), l10n.t('Location')].map(cell);
  const rows = documents.map(({ rank, score, text, place }) => [String(rank), String(score), cell(text), cell(place)]);
  return [head, ['---:', '---:', '---', '---'], ...rows].map((row) => `| ${row.join(' | ')} |\n`).join('');
}

/** Formats a cell as one line, escaping whatever could end the cell or act as Markdown or HTML. */
function cell(text: string): string {
  return text
    .trim()
    .replaceAll(/[\\`*_[\]<>|~$&]/g, String.raw`\$&`)
    .replaceAll(/\s*(?:\r\n|\r|\n)\s*/g, '<br>')
    .replaceAll(/\s+/g, ' ');
}
