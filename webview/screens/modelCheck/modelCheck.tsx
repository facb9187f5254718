import { Fragment, render } from 'preact';
import * as l10n from '@vscode/l10n';
import { useRef, useState } from 'preact/hooks';
import { signal } from '@preact/signals';
import type { CheckedRow, ModelCheckScreen, ModelCheckView } from '../../../src/protocol/modelCheck';
import { createAnnouncer } from '../../components/announcer';
import type { Host } from '../../host';
import { Icon } from '../../components/icon';
import { IconButton } from '../../components/iconButton';
import type { IconName } from '../../components/iconNames';
import { Note } from '../../components/note';
import { PageFoot } from '../../components/pageFoot';
import { pageList } from '../../components/pageLanguage';
import { PageSession } from '../pageSession';
import './modelCheck.css';

export function mountModelCheck(root: HTMLElement, host: Host<ModelCheckScreen>): void {
  const page = document.createElement('main');
  page.className = 'model-check';
  root.append(page);
  const announcer = createAnnouncer(root);
  const session = new CheckSession(host, (text) => announcer.say(text));
  render(<CheckPage session={session} />, page);
  void session.start();
}

const resultIcons: Readonly<Record<CheckedRow['result'], IconName>> = {
  works: 'pass',
  limited: 'warning',
  fails: 'error',
  notOffered: 'circle-slash',
  notChecked: 'circle-large',
};

function CheckPage({ session }: { readonly session: CheckSession }) {
  const view = session.view.value;
  const problem = session.error.value ?? view?.error;
  if (!view && !problem) return null;
  return (
    <>
      {view && <Head view={view} session={session} />}
      {problem && <Note tone="error" {...problem} onAct={(action) => void session.ask('modelCheck/act', { action })} />}
      {view?.options && <Options {...view.options} onCopy={() => void session.ask('modelCheck/copyOptions', {})} />}
      {view && <Table view={view} session={session} />}
      {view && <Foot view={view} session={session} />}
    </>
  );
}

function Head({ view, session }: { readonly view: ModelCheckView; readonly session: CheckSession }) {
  const labels = { ready: l10n.t('Check Model'), checking: l10n.t('Stop'), done: l10n.t('Check Again') };
  return (
    <header class="check-head">
      <h1>{l10n.t('Check Model')}</h1>
      <span class="check-place" title={`${view.model} · ${view.place}`}>
        <bdi>{view.model}</bdi> · <bdi>{view.place}</bdi>
      </span>
      {view.stage === 'done' && (
        <>
          <vscode-button
            class="check-copy"
            appearance="secondary"
            onClick={() => void session.ask('modelCheck/copyReport', {})}
          >
            {l10n.t('Copy Report')}
          </vscode-button>
          <span class="check-copy-icon">
            <IconButton
              icon="copy"
              label={l10n.t('Copy Report')}
              onClick={() => void session.ask('modelCheck/copyReport', {})}
            />
          </span>
        </>
      )}
      <vscode-button class="check-primary" onClick={() => session.toggle()}>
        {labels[view.stage]}
      </vscode-button>
    </header>
  );
}

type OptionsProps = NonNullable<ModelCheckView['options']> & { readonly onCopy: () => void };

function Options({ title, detail, line, onCopy }: OptionsProps) {
  return (
    <section class="check-options" aria-label={l10n.t('Server options')}>
      <Icon name="warning" class="check-limited" />
      <div class="check-options-text">
        <strong>{title}</strong> {detail}
        <div class="check-line">
          <code title={line}>{line}</code>
          <IconButton icon="copy" label={l10n.t('Copy All Options')} onClick={onCopy} />
        </div>
      </div>
    </section>
  );
}

function Table({ view, session }: { readonly view: ModelCheckView; readonly session: CheckSession }) {
  const { groups, takesOptions } = view;
  const rows = groups.flatMap((group) => group.rows);
  const [focused, setFocused] = useState(rows[0]?.id);
  const body = useRef<HTMLTableSectionElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.target instanceof HTMLTableRowElement) || event.ctrlKey || event.metaKey || event.altKey) return;
    const at = rows.findIndex(({ id }) => id === focused);
    const row = rows[at];
    if (!row) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      const next = rows[at + step] ?? row;
      body.current?.querySelector<HTMLElement>(`[data-row="${next.id}"]`)?.focus();
    } else if (event.key === 'Enter') session.showRequest(row);
    else if (event.key === 'c') session.copyOption(row);
    else return;
    event.preventDefault();
  };
  return (
    <div class={`check-rows ${takesOptions ? '' : 'check-without-options'}`}>
      <table onKeyDown={onKeyDown}>
        <thead>
          <tr>
            <th class="check-capability">{l10n.t('Capability')}</th>
            <th class="check-result">
              <span class="check-word">{l10n.t('Result')}</span>
            </th>
            <th class="check-evidence">{l10n.t('Evidence')}</th>
            <th class="check-option">
              <span class="check-wide">{l10n.t('Server option to set')}</span>
              <span class="check-narrow">{l10n.t('Server option')}</span>
            </th>
          </tr>
        </thead>
        <tbody ref={body}>
          {groups.map(({ label, rows: own }) => (
            <Fragment key={label}>
              <tr class="check-group">
                <th scope="rowgroup">{label}</th>
                <td class="check-result" />
                <td class="check-evidence" />
                <td class="check-option" />
              </tr>
              {own.map((row) => (
                <Row
                  key={row.id}
                  row={row}
                  isFocused={row.id === focused}
                  onFocus={() => setFocused(row.id)}
                  session={session}
                />
              ))}
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps {
  readonly row: CheckedRow;
  readonly isFocused: boolean;
  readonly onFocus: () => void;
  readonly session: CheckSession;
}

function Row({ row, isFocused, onFocus, session }: RowProps) {
  const { id, label, result, resultText, evidence, option, hasRequest } = row;
  return (
    <tr
      class={`check-row check-is-${result}`}
      data-row={id}
      tabIndex={isFocused ? 0 : -1}
      onFocus={onFocus}
      onDblClick={() => session.showRequest(row)}
    >
      <th scope="row" class="check-capability" title={label}>
        {label}
      </th>
      <td class="check-result" title={resultText}>
        <Icon name={resultIcons[result]} class={`check-${result}`} />
        <span class="check-word">{resultText}</span>
      </td>
      <td class="check-evidence">
        <span class="check-cell">
          <span class="check-fact" title={evidence} dir="auto">
            {evidence}
          </span>
          {hasRequest && (
            <button type="button" class="link check-shown" tabIndex={-1} onClick={() => session.showRequest(row)}>
              {l10n.t('Show Request')}
            </button>
          )}
        </span>
      </td>
      <td class="check-option">
        {option !== undefined && (
          <span class="check-cell">
            <code title={option}>{option}</code>
            <span class="check-shown">
              <IconButton
                icon="copy"
                label={l10n.t('Copy Option')}
                tabIndex={-1}
                onClick={() => session.copyOption(row)}
              />
            </span>
          </span>
        )}
      </td>
    </tr>
  );
}

function Foot({ view, session }: { readonly view: ModelCheckView; readonly session: CheckSession }) {
  const rows = view.groups.flatMap((group) => group.rows);
  return (
    <PageFoot
      text={view.facts.join(' · ')}
      keys={[
        ...(rows.some(({ hasRequest }) => hasRequest) ? [[l10n.t('Enter'), l10n.t('Request')] as const] : []),
        ...(rows.some(({ option }) => option !== undefined) ? [['C', l10n.t('Copy Option')] as const] : []),
      ]}
    >
      <button type="button" class="link check-edit" onClick={() => void session.ask('modelCheck/edit', {})}>
        {l10n.t('Edit Capabilities…')}
      </button>
    </PageFoot>
  );
}

/** The page's state, and its calls to the host. */
class CheckSession extends PageSession<ModelCheckScreen> {
  readonly view = signal<ModelCheckView | undefined>(undefined);

  constructor(host: Host<ModelCheckScreen>, say: (text: string) => void) {
    super(host, say);
    host.on('modelCheck/changed', (view) => this.show(view));
  }

  async start(): Promise<void> {
    const view = await this.ask('modelCheck/ready', {});
    if (view) this.show(view);
  }

  /** Starts a check, or stops the one that is running. */
  toggle(): void {
    const method = this.view.peek()?.stage === 'checking' ? 'modelCheck/stop' : 'modelCheck/check';
    void this.ask(method, {});
  }

  showRequest({ id, hasRequest }: CheckedRow): void {
    if (hasRequest) void this.ask('modelCheck/showRequest', { id });
  }

  copyOption({ id, option }: CheckedRow): void {
    if (option !== undefined) void this.ask('modelCheck/copyOption', { id });
  }

  private show(view: ModelCheckView): void {
    const isEnd = this.view.peek()?.stage === 'checking' && view.stage !== 'checking';
    this.view.value = view;
    this.host.save({ pageId: view.pageId });
    if (isEnd) this.say(pageList(view.facts));
  }
}
