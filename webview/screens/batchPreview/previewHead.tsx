import type { PreviewSort } from '../../../src/protocol/batchPreview';
import { TableHead } from '../../components/tableHead';
import type { Column } from '../../components/tableHead';
import type { Preview } from './previewContext';

export function PreviewHead({ preview: { session, strings } }: { readonly preview: Preview }) {
  const holdsAnswers = session.summary.value?.holds === 'answers';
  const { sort, descending } = session.table.choice.value;
  const columns: readonly Column<PreviewSort>[] = [
    { name: 'line', label: strings.columnLine, sort: 'line' },
    { name: 'id', label: strings.columnId, sort: 'customId' },
    // The model of an answer is known only once the line is read, so answers cannot be sorted by it.
    { name: 'model', label: strings.columnModel, ...(!holdsAnswers && { sort: 'model' as const }) },
    { name: 'count', label: holdsAnswers ? strings.columnTokens : strings.columnMessages },
    { name: 'text', label: holdsAnswers ? strings.columnAnswer : strings.columnText },
    { name: 'size', label: strings.columnSize, sort: 'size' },
    { name: 'problems', label: strings.columnProblems, sort: 'problems' },
  ];
  /** Sorting by problems or size starts descending, because people look for the most problems and the largest line first. */
  const onSort = (by: PreviewSort) => {
    const startsDescending = by === 'problems' || by === 'size';
    session.change({ sort: by, descending: sort === by ? !descending : startsDescending });
  };
  return <TableHead name="preview" columns={columns} sort={sort} descending={descending} onSort={onSort} />;
}
