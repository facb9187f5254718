import * as l10n from '@vscode/l10n';
import type { EvalChoice, EvalMark, EvalSide, EvalTableRow, EvalTableSummary } from '../../../src/protocol/evalResults';
import { DetailsPane } from '../../components/detailsPane';
import { Texts } from '../../components/detailsParts';
import { GroupHeading, toggleActive, useTableWidth } from '../../components/groupedRows';
import { IconButton } from '../../components/iconButton';
import { MatchCount } from '../../components/matchCount';
import { ModelTable } from '../../components/modelTable';
import { SearchField } from '../../components/searchField';
import { SelectField } from '../../components/selectField';
import { TableHead } from '../../components/tableHead';
import { TableRow, type TableCell } from '../../components/tableRow';
import { Tabs } from '../../components/tabs';
import type { DrawnRow } from '../../components/virtualTable';
import { Pieces } from './pieces';
import type { EvalSession } from './session';
import { Icon } from '../../components/icon';

const rowHeight = 24;

interface TableProps {
  readonly session: EvalSession;
}

/** The rows with the responses and scores of what is compared. */
export function EvalRows({ session }: TableProps) {
  const { table } = session;
  const summary = session.summary.value;
  const isBeside = table.selected.value !== null && table.details.value !== undefined;
  const width = useTableWidth();
  const columns = summary ? fitColumns(summary, width, isBeside) : [];
  const nothing = table.choice.value.query === '' ? l10n.t('No rows.') : l10n.t('No matches.');
  return (
    <>
      {summary && <Filters session={session} summary={summary} />}
      <div
        class="table-page-body eval-body"
        id="eval-body"
        role="tabpanel"
        aria-labelledby={`tab-${shownGroup(table.choice.value.group, summary)}`}
      >
        <div class="eval-columns" style={{ '--columns': columns.map((column) => column.width).join(' ') }}>
          <ModelTable
            name="evals"
            label={l10n.t('Rows')}
            columns={columns.length}
            rowHeight={rowHeight}
            table={table}
            head={
              <TableHead name="evals" columns={columns} sort={undefined} descending={false} onSort={() => undefined} />
            }
            drawRow={(drawn) => <Row key={drawn.index} {...drawn} session={session} columns={columns} />}
            nothing={summary ? nothing : ''}
            onMove={(index) => void table.select(index)}
            onOpen={() => document.querySelector<HTMLElement>('.details-body')?.focus()}
            onKey={(key, _, event) => onTableKey(session, key, event)}
          />
        </div>
        {isBeside && <Details session={session} />}
      </div>
    </>
  );
}

function onTableKey(session: EvalSession, key: string, event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (key === 'j') void session.table.step(1);
  else if (key === 'k') void session.table.step(-1);
  else if (key === 'd') session.showsDifference.value = !session.showsDifference.peek();
  else if (key === 'g') session.table.change({ isGrouped: !session.table.choice.peek().isGrouped });
  else if (key === ' ') void toggleActive(session, event);
}

function Filters({ session, summary }: TableProps & { readonly summary: EvalTableSummary }) {
  const { table } = session;
  const { query, isGrouped } = table.choice.value;
  const failedBy = summary.graders.find((name) => name === table.choice.value.failedBy);
  const failed = [
    { value: '', label: l10n.t('Any grader') },
    ...summary.graders.map((name) => ({ value: name, label: l10n.t('Failed by {0}', name) })),
  ];
  return (
    <div class="eval-filters">
      <Tabs<EvalChoice['group']>
        label={l10n.t('Row filter')}
        tabs={summary.counts.map(({ group: id, label, count }) => ({ id, label, count }))}
        chosen={shownGroup(table.choice.value.group, summary)}
        panelId="eval-body"
        onChoose={(chosen) => table.change({ group: chosen })}
      />
      <span class="eval-find">
        <MatchCount table={table} stop={l10n.t('Stop Search')} />
        {(summary.graders.length > 1 || failedBy !== undefined) && (
          <SelectField
            label={l10n.t('Failed by')}
            value={failedBy ?? ''}
            options={failed}
            onChoose={(name) => table.change({ failedBy: name === '' ? null : name })}
          />
        )}
        <SelectField
          label={l10n.t('Group by')}
          value={isGrouped ? 'change' : 'none'}
          options={[
            { value: 'change', label: l10n.t('Group by change') },
            { value: 'none', label: l10n.t('No grouping') },
          ]}
          onChoose={(value) => table.change({ isGrouped: value === 'change' })}
        />
        <SearchField
          label={l10n.t('Search IDs and text')}
          query={query}
          onSearch={(text) => table.change({ query: text })}
        />
      </span>
    </div>
  );
}

/** The group that is shown: the chosen one may be of an earlier run, or of two variants while there is only one. */
function shownGroup(group: EvalChoice['group'], summary: EvalTableSummary | undefined): EvalChoice['group'] {
  return !summary || summary.counts.some((one) => one.group === group) ? group : 'all';
}

interface EvalColumn {
  /** The cells get the class `evals-cell-<name>`. */
  readonly name: string;
  readonly label: string;
  readonly width: string;
  readonly least: number;
  readonly kind: 'name' | 'input' | 'expected' | 'response' | 'grade' | 'result';
  readonly block: number;
  readonly grader: number;
}

/** Returns the columns that fit: first the expected value is dropped, then the input, then the graders, whose result then precedes the response. */
function fitColumns(summary: EvalTableSummary, width: number, isBeside: boolean): readonly EvalColumn[] {
  const all = allColumns(summary);
  const without = (columns: readonly EvalColumn[], ...kinds: readonly EvalColumn['kind'][]) =>
    columns.filter(({ kind }) => !kinds.includes(kind));
  const choices = [
    all,
    without(all, 'expected'),
    without(all, 'expected', 'input'),
    without(all, 'expected', 'input', 'grade'),
  ];
  const fits = (columns: readonly EvalColumn[]) => columns.reduce((sum, { least }) => sum + least, 32) <= width;
  const usable = isBeside ? choices.slice(2) : choices;
  const fitting = usable.find(fits);
  // The narrowest pages share what they have.
  return fitting ?? (usable.at(-1) ?? all).map((column) => ({ ...column, width: 'minmax(0, 1fr)' }));
}

function allColumns({ graders, blocks, hasExpected }: EvalTableSummary): readonly EvalColumn[] {
  const base = { block: 0, grader: 0 };
  return [
    { ...base, kind: 'name', name: 'name', label: l10n.t('Row'), width: 'minmax(64px, 120px)', least: 72 },
    { ...base, kind: 'input', name: 'input', label: l10n.t('Input'), width: 'minmax(120px, 2fr)', least: 140 },
    ...(hasExpected
      ? [
          {
            ...base,
            kind: 'expected',
            name: 'expected',
            label: l10n.t('Expected'),
            width: 'minmax(72px, 1fr)',
            least: 80,
          } as const,
        ]
      : []),
    ...blocks.flatMap(({ letter, label, hasResponses }, block): readonly EvalColumn[] => {
      const title = `${letter} ${label}`.trim();
      if (!hasResponses)
        return [
          { ...base, block, kind: 'result', name: 'first', label: title, width: 'minmax(60px, 100px)', least: 60 },
        ];
      return [
        { ...base, block, kind: 'response', name: 'first', label: title, width: 'minmax(90px, 1.5fr)', least: 110 },
        ...graders.map((name, grader) => ({
          block,
          grader,
          kind: 'grade' as const,
          name: 'grade',
          label: name,
          width: '60px',
          least: 60,
        })),
      ];
    }),
  ];
}

interface RowProps extends DrawnRow<EvalTableRow>, TableProps {
  readonly columns: readonly EvalColumn[];
}

function Row({ row, session, columns, ...drawn }: RowProps) {
  if (row?.heading)
    return <GroupHeading heading={row.heading} drawn={drawn} session={session} columns={columns.length} />;
  const hasGrades = columns.some(({ kind }) => kind === 'grade');
  return (
    <TableRow
      name="evals"
      drawn={drawn}
      cells={columns.map((column) => cellOf(column, row, hasGrades))}
      onSelect={() => void session.table.select(drawn.index, row)}
      onOpen={() => undefined}
    />
  );
}

function cellOf(
  { kind, name, block, grader }: EvalColumn,
  row: EvalTableRow | undefined,
  hasGrades: boolean,
): TableCell {
  const cell = row?.cells[block];
  if (!row || !cell) return { name, text: kind === 'name' ? (row?.name ?? '') : '' };
  switch (kind) {
    case 'name':
    case 'input':
    case 'expected':
      return { name, text: row[kind] };
    case 'result':
      return { name, content: <Mark mark={cell.result} /> };
    case 'grade':
      return { name, content: <Mark mark={cell.grades[grader] ?? 'none'} /> };
    case 'response': {
      const { text, tone, isChanged } = cell;
      const before = hasGrades ? undefined : <Mark mark={cell.result} />;
      if (!isChanged) return { name, text, tone, before };
      const content = (
        <bdi title={text}>
          <span class="spoken">{l10n.t('Changed')} </span>
          <strong>{text}</strong>
        </bdi>
      );
      return { name, content, before };
    }
  }
}

/** The selected row: what it asks and expects, and both responses with what the graders say. */
function Details({ session }: { readonly session: EvalSession }) {
  const details = session.table.details.value;
  if (!details) return null;
  const { row, name, input, expected, sides } = details;
  const showsDifference = session.showsDifference.value;
  const hasDifference = sides.some(({ pieces }) => pieces.some(({ differs }) => differs));
  const texts = [
    ...input.map((one) => ({ label: one.name, text: one.value })),
    ...(expected === '' ? [] : [{ label: l10n.t('Expected'), text: expected }]),
  ];
  return (
    <DetailsPane
      class="eval-details"
      label={l10n.t('Selected row')}
      row={row}
      close={l10n.t('Close')}
      onClose={() => session.table.close()}
      onKey={(key, { ctrlKey, metaKey, altKey }) => {
        if (ctrlKey || metaKey || altKey) return;
        if (key === 'j') void session.table.step(1);
        if (key === 'k') void session.table.step(-1);
        if (key === 'd') session.showsDifference.value = !session.showsDifference.peek();
      }}
      head={
        <>
          <h2 class="details-title details-id-title" title={name}>
            <bdi>{name}</bdi>
          </h2>
          {hasDifference && (
            <button
              type="button"
              class="tab"
              aria-pressed={showsDifference}
              onClick={() => (session.showsDifference.value = !showsDifference)}
            >
              {l10n.t('Differences (D)')}
            </button>
          )}
          <IconButton
            icon="chevron-up"
            label={l10n.t('Previous Row (K)')}
            onClick={() => void session.table.step(-1)}
          />
          <IconButton icon="chevron-down" label={l10n.t('Next Row (J)')} onClick={() => void session.table.step(1)} />
        </>
      }
    >
      <Texts texts={texts} />
      <div class="eval-sides">
        {sides.map((side, index) => (
          <Side key={index} side={side} showsDifference={showsDifference} />
        ))}
      </div>
    </DetailsPane>
  );
}

function Side({ side, showsDifference }: { readonly side: EvalSide; readonly showsDifference: boolean }) {
  const { letter, label, pieces, note, result, scores } = side;
  return (
    <section class="eval-side">
      <h3 class="details-role">
        <Mark mark={result} />
        {letter} <bdi>{label}</bdi>
      </h3>
      {note && <p class="details-note">{note}</p>}
      {pieces.length > 0 && (
        <Pieces pieces={pieces} showsDifference={showsDifference} title={l10n.t('In this response only')} />
      )}
      {scores.length > 0 && (
        <ul class="eval-scores" aria-label={l10n.t('Scores')}>
          {scores.map(({ name, mark, evidence }, index) => (
            <li key={index}>
              <Mark mark={mark} /> <bdi>{name}</bdi>
              {evidence && (
                <span class="eval-evidence" dir="auto">
                  {evidence}
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** A grader's result, as a symbol and a word for screen readers. */
function Mark({ mark }: { readonly mark: EvalMark }) {
  if (mark === 'none') return null;
  const text = { pass: l10n.t('Passed'), fail: l10n.t('Failed'), missing: l10n.t('Missing') }[mark];
  return (
    <span class={`eval-mark eval-mark-${mark}`} title={text}>
      {mark === 'missing' ? <span aria-hidden="true">–</span> : <Icon name={mark === 'pass' ? 'check' : 'close'} />}
      <span class="spoken">{text}</span>
    </span>
  );
}
