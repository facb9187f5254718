import * as l10n from '@vscode/l10n';
import { ModelTable } from '../../components/modelTable';
import { TableRow } from '../../components/tableRow';
import type { DrawnRow } from '../../components/virtualTable';
import type { Preview } from './previewContext';
import { PreviewHead } from './previewHead';
import type { PreviewRow } from './session';
import { Counts } from './severity';

const rowHeight = 24;

/** The table of the lines shown; only those in the viewport are drawn. */
export function PreviewTable({ preview }: { readonly preview: Preview }) {
  const { session } = preview;
  return (
    <ModelTable
      name="preview"
      label={l10n.t('Lines of the file')}
      columns={7}
      rowHeight={rowHeight}
      table={session.table}
      head={<PreviewHead preview={preview} />}
      drawRow={(drawn) => <Row key={drawn.index} {...drawn} preview={preview} />}
      nothing={nothingShown(preview)}
      onMove={(index) => session.select(index)}
      onOpen={(line) => session.goTo(line)}
    />
  );
}

function nothingShown({ session }: Preview): string {
  const { query, onlyProblems } = session.table.choice.value;
  if (session.summary.value === undefined) return '';
  if (query !== '') return l10n.t('No line holds this text.');
  return onlyProblems ? l10n.t('No line has a problem.') : '';
}

function Row({ row, preview: { session }, ...drawn }: DrawnRow<PreviewRow> & { readonly preview: Preview }) {
  const cells = [
    { name: 'line', text: row ? String(row.line + 1) : '' },
    { name: 'id', text: row?.customId ?? '' },
    { name: 'model', text: row?.model ?? '' },
    { name: 'count', text: row?.count ?? '' },
    { name: 'text', text: row?.text ?? '', tone: row?.tone ?? 'plain' },
    { name: 'size', text: row?.size ?? '' },
    { name: 'problems', content: row && <Counts counts={row.problems} /> },
  ];
  return (
    <TableRow
      name="preview"
      drawn={drawn}
      cells={cells}
      onSelect={() => session.select(drawn.index)}
      onOpen={() => row && session.goTo(row.line)}
    />
  );
}
