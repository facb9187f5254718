import '../../components/tablePage.css';
import './batchPreview.css';
import './previewTable.css';
import { render } from 'preact';
import type {
  BatchPreviewScreen,
  PreviewSort,
  PreviewDetails,
  PreviewProblemCounts,
  PreviewNotices,
  PreviewSummary,
  PreviewTableRow,
  PreviewView,
} from '../../../src/protocol/batchPreview';
import { createAnnouncer, type Announcer } from '../../components/announcer';
import type { Host } from '../../host';
import * as l10n from '@vscode/l10n';
import { ErrorNotice } from '../../components/errorNotice';
import { MatchCount } from '../../components/matchCount';
import { SearchField } from '../../components/searchField';
import { ModelTable } from '../../components/modelTable';
import { TableRow } from '../../components/tableRow';
import type { DrawnRow } from '../../components/virtualTable';
import { TableHead, type Column } from '../../components/tableHead';
import { Note } from '../../components/note';
import { Reading } from '../../components/reading';
import { severityText } from '../../components/severityIcon';
import { pageNumber } from '../../components/pageLanguage';
import { DetailsPane } from '../../components/detailsPane';
import { Messages, Pairs } from '../../components/detailsParts';
import { Icon } from '../../components/icon';
import type { IconName } from '../../components/iconNames';
import { batch, signal } from '@preact/signals';
import { Loading } from '../../components/loading';
import { TableModel, type TableCalls } from '../../components/tableModel';
import { PageSession } from '../pageSession';

export function mountBatchPreview(root: HTMLElement, host: Host<BatchPreviewScreen>): void {
  const page = document.createElement('main');
  page.className = 'table-page preview';
  root.append(page);
  const announcer = createAnnouncer(root);
  const session = new PreviewSession(host, (text) => announcer.say(text));
  const preview: Preview = { session, announcer };
  render(<PreviewPage preview={preview} />, page);
  host.on('preview/notices', (notices) => (session.notices.value = notices));
  host.on('preview/stale', () => void session.load(true));
  void session.start();
}

function PreviewPage({ preview }: { readonly preview: Preview }) {
  const { session } = preview;
  const summary = session.summary.value;
  return (
    <>
      <header class="preview-head">
        <h1 class="table-page-name" title={session.name.value}>
          {session.name.value}
        </h1>
        <span class="table-page-facts">{summary?.facts}</span>
      </header>
      <Toolbar preview={preview} />
      <PreviewNotes preview={preview} />
      <ErrorNotice error={session.error.value} onReadAgain={() => void session.load(true)} />
      <div class="table-page-body">
        {summary?.nothing === undefined ? (
          <PreviewTable preview={preview} />
        ) : (
          <p class="table-nothing">{summary.nothing}</p>
        )}
        {session.table.selected.value !== null && session.table.details.value && <Details preview={preview} />}
      </div>
    </>
  );
}

function Toolbar({ preview }: { readonly preview: Preview }) {
  const { session } = preview;
  const { table } = session;
  const { onlyProblems, query } = table.choice.value;
  return (
    <div class="preview-bar">
      <SearchField
        label={l10n.t('Search IDs and text')}
        query={query}
        onSearch={(text) => session.change({ query: text })}
      />
      <label class="check">
        <input
          type="checkbox"
          checked={onlyProblems}
          onChange={(event) => session.change({ onlyProblems: event.currentTarget.checked })}
        />
        {l10n.t('Show only problems')}
      </label>
      <Jump preview={preview} />
      <MatchCount table={table} instead={session.jumpMissing.value} stop={l10n.t('Stop Search')} />
    </div>
  );
}

function Jump({ preview: { session, announcer } }: { readonly preview: Preview }) {
  const jump = async (input: HTMLInputElement) => {
    const line = Number(input.value);
    if (!Number.isInteger(line) || line < 1) return input.select();
    const isShown = await session.table.show(line - 1);
    const missing = isShown ? '' : l10n.t("Line {0} isn't shown", input.value);
    session.jumpMissing.value = missing;
    announcer.say(missing);
  };
  return (
    <span class="bar-field preview-jump">
      <input
        type="text"
        inputMode="numeric"
        maxLength={10}
        aria-label={l10n.t('Line number')}
        placeholder={l10n.t('Line number')}
        onKeyDown={({ key, currentTarget }) => {
          if (key === 'Enter') void jump(currentTarget);
        }}
      />
    </span>
  );
}

const rowHeight = 24;

/** The table of the lines shown; only those in the viewport are drawn. */
function PreviewTable({ preview }: { readonly preview: Preview }) {
  const { session } = preview;
  return (
    <ModelTable
      name="preview"
      label={l10n.t('File lines')}
      columns={7}
      rowHeight={rowHeight}
      table={session.table}
      head={<PreviewHead preview={preview} />}
      drawRow={(drawn) => <Row key={drawn.index} {...drawn} preview={preview} />}
      nothing={nothingShown(preview)}
      onMove={(index) => session.select(index)}
      onOpen={(line) => void session.ask('preview/goTo', { line })}
    />
  );
}

function nothingShown({ session }: Preview): string {
  const { query, onlyProblems } = session.table.choice.value;
  if (session.summary.value === undefined) return '';
  if (query !== '') return l10n.t('No matches.');
  return onlyProblems ? l10n.t('No lines with problems.') : '';
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
      onOpen={() => row && void session.ask('preview/goTo', { line: row.line })}
    />
  );
}

function PreviewHead({ preview: { session } }: { readonly preview: Preview }) {
  const holdsAnswers = session.summary.value?.holds === 'answers';
  const { sort, descending } = session.table.choice.value;
  const columns: readonly Column<PreviewSort>[] = [
    { name: 'line', label: l10n.t('Line'), sort: 'line' },
    { name: 'id', label: l10n.t('custom_id'), sort: 'customId' },
    // The model of an answer is known only once the line is read, so answers cannot be sorted by it.
    { name: 'model', label: l10n.t('Model'), ...(!holdsAnswers && { sort: 'model' as const }) },
    { name: 'count', label: holdsAnswers ? l10n.t('Tokens') : l10n.t('Messages') },
    { name: 'text', label: holdsAnswers ? l10n.t('Response') : l10n.t('Last user message') },
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

/** Notes on the file, with possible actions. */
function PreviewNotes({ preview: { session } }: { readonly preview: Preview }) {
  const { changed, missing, unsaved } = session.notices.value;
  const partial = session.summary.value?.partial;
  const loading = session.loading.progress.value;
  if (loading)
    return (
      <Reading
        {...loading}
        label={l10n.t('Loading file…')}
        cancel={l10n.t('Cancel')}
        onCancel={() => void session.ask('preview/stop', {})}
      />
    );
  const again = (label: string) => ({ actions: [{ id: 'again', label }], onAct: () => void session.load(true) });
  const tone = 'warning';
  const none = { actions: [], onAct: () => undefined };
  return (
    <>
      {missing && (
        <Note
          tone={tone}
          title={l10n.t('The file no longer exists')}
          detail={l10n.t('The file has been moved or deleted. The preview shows its last content.')}
          {...none}
        />
      )}
      {changed && (
        <Note
          tone={tone}
          title={l10n.t('The file has changed on disk')}
          detail={l10n.t('The preview is out of date.')}
          {...again(l10n.t('Reload'))}
        />
      )}
      {unsaved && (
        <Note
          tone={tone}
          title={l10n.t('The file has unsaved changes')}
          detail={l10n.t('The preview shows the saved file.')}
          {...none}
        />
      )}
      {partial && (
        <Note tone={tone} title={l10n.t('Loading stopped')} detail={partial} {...again(l10n.t('Load Entire File'))} />
      )}
    </>
  );
}

/** The details of the selected line. */
function Details({ preview: { session } }: { readonly preview: Preview }) {
  const details = session.table.details.value;
  if (!details) return null;
  const { line, customId, model, note, failure, problems, parameters } = details;
  const head = (
    <>
      <h2 class="details-title">{l10n.t('Line {0}', pageNumber(line + 1))}</h2>
      <vscode-button onClick={() => void session.ask('preview/goTo', { line })}>{l10n.t('Go to Line')}</vscode-button>
    </>
  );
  return (
    <DetailsPane
      label={l10n.t('Selected line')}
      row={line}
      head={head}
      close={l10n.t('Close')}
      onClose={() => session.table.close()}
    >
      {(customId || model) && (
        <p class="details-names">
          <bdi class="details-id">{customId}</bdi>
          <bdi class="details-model">{model}</bdi>
        </p>
      )}
      {note && <p class="details-note">{note}</p>}
      {failure && (
        <p class="details-failure" dir="auto">
          {failure}
        </p>
      )}
      {problems.length > 0 && (
        <ul class="details-problems" aria-label={l10n.t('Problems in this line')}>
          {problems.map(({ severity, message }, index) => (
            <li key={index}>
              <SeverityIcon severity={severity} />
              <span class="spoken">{severityText(severity)}</span>
              <span dir="auto">{message}</span>
            </li>
          ))}
        </ul>
      )}
      <Messages {...details} omitted={details.omitted} messages={textsOf(details, l10n.t('no role'))} />
      <Pairs title={l10n.t('Parameters')} pairs={parameters} />
    </DetailsPane>
  );
}

/** If there is a note on the line as a whole, its text is not a message and gets no role as label. */
function textsOf({ messages, note }: PreviewDetails, noRole: string) {
  return messages.map(({ role, ...message }) => ({ ...message, label: note === undefined ? role || noRole : '' }));
}

/** Shared by the components of the page. */
interface Preview {
  readonly session: PreviewSession;
  readonly announcer: Announcer;
}

type Severity = keyof PreviewProblemCounts;

const severities = ['error', 'warning', 'hint'] as const;
const icons: { readonly [S in Severity]: IconName } = { error: 'error', warning: 'warning', hint: 'info' };

/** The icon of a severity. Its meaning is in the text next to it or in its label. */
function SeverityIcon({ severity }: { readonly severity: Severity }) {
  return (
    <span class={`preview-${severity}`}>
      <Icon name={icons[severity]} />
    </span>
  );
}

/** The number of problems of each severity; nothing if there are none. */
function Counts({ counts }: { readonly counts: PreviewProblemCounts }) {
  return (
    <>
      {severities
        .filter((severity) => counts[severity] > 0)
        .map((severity) => (
          <span class="preview-badge" key={severity} title={severityText(severity)}>
            <SeverityIcon severity={severity} />
            <span class="spoken">{severityText(severity)}</span>
            {counts[severity]}
          </span>
        ))}
    </>
  );
}

const allLines: PreviewView = { sort: 'line', descending: false, onlyProblems: false, query: '' };
const noNotices: PreviewNotices = { changed: false, missing: false, unsaved: false };

/** A row is identified by its line number. */
type PreviewRow = PreviewTableRow & { readonly row: number };

/** The page's state for the file, and its calls to the host. */
class PreviewSession extends PageSession<BatchPreviewScreen> {
  readonly name = signal('');
  readonly notices = signal(noNotices);
  readonly summary = signal<PreviewSummary | undefined>(undefined);
  readonly loading = new Loading((error) => this.fail(error));
  readonly table: TableModel<PreviewView, PreviewRow, PreviewDetails>;
  /** Localized reason why the requested line is not shown. */
  readonly jumpMissing = signal('');

  private previewId = '';

  constructor(host: Host<BatchPreviewScreen>, say: (text: string) => void) {
    super(host, say);
    const { previewId: _id, selected, ...view } = host.load() ?? { ...allLines, previewId: '', selected: null };
    this.table = new TableModel(this.calls(), view);
    this.table.selected.value = selected;
    this.loading.progress.value = { part: 0, text: '' };
  }

  async start(): Promise<void> {
    await this.attempt(async () => {
      const { previewId, name, notices } = await this.host.call('preview/ready', {});
      this.previewId = previewId;
      batch(() => {
        this.name.value = name;
        this.notices.value = notices;
      });
      this.save();
    });
    await this.load(false);
  }

  /** `again`: reads the file again. */
  async load(again: boolean): Promise<void> {
    this.error.value = undefined;
    await this.loading.run(
      (options) => this.host.call('preview/load', { again }, options),
      (summary) => {
        this.summary.value = summary;
        this.say(summary.nothing ?? summary.facts);
        const line = this.table.selected.peek();
        if (line !== null && line >= summary.lines) this.table.close();
        return this.table.refresh('meanwhile');
      },
    );
  }

  /** Changes the filter or sorting, and shows the lines from the first one. */
  change(part: Partial<PreviewView>): void {
    if (this.summary.peek()) this.table.change(part);
    else this.table.choose(part);
  }

  /** Activates a row and shows its line. */
  select(index: number): void {
    this.jumpMissing.value = '';
    void this.table.select(index);
  }

  private calls(): TableCalls<PreviewView, PreviewRow, PreviewDetails> {
    const { host } = this;
    return {
      arrange: (view, options) => host.call('preview/arrange', view, options),
      rows: async (from, count) => {
        const { rows } = await host.call('preview/rows', { from, count });
        return rows.map((row) => ({ ...row, row: row.line }));
      },
      find: async (line) => (await host.call('preview/find', { line })).index,
      details: (line) => host.call('preview/line', { line }),
      save: () => this.save(),
      say: this.say,
      fail: (error) => this.fail(error),
    };
  }

  private save(): void {
    const { previewId, table } = this;
    if (previewId === '') return;
    this.host.save({ previewId, selected: table.selected.peek(), ...table.choice.peek() });
  }
}
