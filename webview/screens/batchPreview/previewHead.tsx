import * as l10n from '@vscode/l10n';
import type { PreviewSort } from '../../../src/protocol/batchPreview';
import { TableHead } from '../../components/tableHead';
import type { Column } from '../../components/tableHead';
import type { Preview } from './previewContext';

export function PreviewHead({ preview: { session } }: { readonly preview: Preview }) {
  const holdsAnswers = session.summary.value?.holds === 'answers';
  const { sort, descending } = session.table.choice.value;
  const columns: readonly Column<PreviewSort>[] = [
    { name: 'line', label: l10n.t('Line'), sort: 'line' },
    { name: 'id', label: l10n.t('custom_id'), sort: 'customId' },
    // The model of an answer is known only once the line is read, so answers cannot be sorted by it.
    { name: 'model', label: l10n.t('Model'), ...(!holdsAnswers && { sort: 'model' as const }) },
    { name: 'count', label: holdsAnswers ? l10n.t('Tokens') : l10n.t('Messages') },
    { name: 'text', label: holdsAnswers ? l10n.t('Answer') : l10n.t('Last user message') },
    { name: 'size', label: l10n.t('Size'), sort: 'size' },
    { name: 'problems', label: l10n.t('Problems'), sort: 'problems' },
  ];
  /** Sorting by problems or size starts descending, because people look for the most problems and the largest line first. */
  const onSort = (by: PreviewSort) => {
    const startsDescending = by === 'problems' || by === 'size';
    session.change({ sort: by, descending: sort === by ? !descending : startsDescending });
  };
  return <TableHead name="preview" columns={columns} sort={sort} descending={descending} onSort={onSort} />;
}
