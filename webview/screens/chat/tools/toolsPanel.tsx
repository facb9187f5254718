import './tools.css';
import * as l10n from '@vscode/l10n';
import { labelled } from '../../../../src/protocol/sentences';
import { IconButton } from '../../../components/iconButton';
import type { IconName } from '../../../components/iconNames';
import { pageNumber } from '../../../components/pageLanguage';
import { useSignal } from '@preact/signals';
import { useRef, useId } from 'preact/hooks';
import { searchInput } from '../../../components/composition';
import { Icon } from '../../../components/icon';
import type { Chat } from '../chatContext';
import { matchingGroups, offeredOf, prettyJson } from './toolRows';
import type { ToolChoiceForm, OwnToolForm, OwnToolIssue, ToolGroup, ToolRow } from '../../../../src/protocol/chatTools';
import { focusIfActive } from '../../../components/focus';

/** The tools the model may call, or the editor of the tool being written. */
export function ToolsPanel({ chat }: { readonly chat: Chat }) {
  const { session } = chat;
  const root = useRef<HTMLDivElement>(null);
  const { own } = session.tools;
  /** Moves the focus to the next logical control, because the focused one disappears. */
  const refocus = (selector: string) =>
    requestAnimationFrame(() => focusIfActive(root.current?.querySelector<HTMLElement>(selector)));
  return (
    <div class="tools" ref={root}>
      <Notices chat={chat} />
      {own.typed.value ? (
        <OwnToolEditor chat={chat} onClosed={() => refocus('.tools-new')} />
      ) : (
        <ToolsList chat={chat} onEdit={() => refocus('.tool-name-input')} />
      )}
    </div>
  );
}

/** Why tools are not run or not sent, and the last error. */
function Notices({ chat: { session } }: { readonly chat: Chat }) {
  const { notRun, notTaken } = session.tools.state.value ?? {};
  const error = session.error.value;
  const notices = [notRun, notTaken, error && [error.title, error.detail].filter(Boolean).join('. ')];
  const sendAgain = async () => {
    if (await session.parameters.sendAgain('tools')) await session.tools.refresh();
  };
  return (
    <div class="tools-notices" aria-live="polite">
      {notices.map(
        (text, index) =>
          text && (
            <p class="tools-notice" key={index}>
              <Icon name={index === 2 ? 'error' : 'warning'} />
              <span>{text}</span>
            </p>
          ),
      )}
      {notTaken && (
        <button type="button" class="link tools-again" onClick={() => void sendAgain()}>
          {l10n.t('Send Again')}
        </button>
      )}
    </div>
  );
}

function ToolsList({ chat, onEdit }: { readonly chat: Chat; readonly onEdit: () => void }) {
  const { session } = chat;
  const { state, own } = session.tools;
  const query = useSignal('');
  const { groups = [], offered = 0, limit = 0 } = state.value ?? {};
  const shown = matchingGroups(groups, query.value);
  const begin = () => {
    own.begin();
    onEdit();
  };
  return (
    <>
      <p class="tools-detail">{l10n.t('Selected tools run only if you allow them.')}</p>
      <div class="tools-bar">
        <input
          class="parameter-input tools-search"
          type="text"
          dir="auto"
          autocomplete="off"
          aria-label={l10n.t('Search tools')}
          placeholder={l10n.t('Search tools')}
          {...searchInput((text) => (query.value = text))}
        />
        <button type="button" class="link tools-new" onClick={begin}>
          {l10n.t('New Tool…')}
        </button>
      </div>
      <div class="tools-groups" role="group" aria-label={l10n.t('Tools')}>
        {shown.map((group) => (
          <ToolGroupList key={group.id} chat={chat} group={group} isFound={query.value.trim() !== ''} onEdit={onEdit} />
        ))}
        {shown.length === 0 && <p class="tools-empty">{emptyWords(chat, groups.length > 0)}</p>}
      </div>
      <div class="tools-foot">
        <ToolChoice chat={chat} />
        {offered > 0 && (
          <p class={offered > limit ? 'tools-chosen tools-over' : 'tools-chosen'}>
            {l10n.t('{0} selected (limit {1})', pageNumber(offered), pageNumber(limit))}
          </p>
        )}
      </div>
    </>
  );
}

function emptyWords({ session }: Chat, hasTools: boolean): string {
  if (hasTools) return l10n.t('No matches.');
  return session.tools.state.value
    ? l10n.t('Install an extension or MCP server, or create your own tool.')
    : l10n.t('Loading…');
}

/** How the model may use the tools, in the API's terms. */
function ToolChoice({ chat }: { readonly chat: Chat }) {
  const { session } = chat;
  const id = useId();
  const state = session.tools.state.value;
  if (!state) return null;
  const { choice, groups } = state;
  const offered = groups.flatMap(({ kind, tools }) => (kind === 'gone' ? [] : tools.filter((tool) => tool.offered)));
  const isGone = choice.type === 'tool' && !offered.some((tool) => tool.id === choice.tool);
  return (
    <div class="tool-choice">
      <label class="parameter-label" for={id}>
        {l10n.t('Tool choice')}
      </label>
      <select
        id={id}
        class="parameter-input"
        title={l10n.t('Tool choice')}
        value={toValue(choice)}
        onChange={(event) =>
          void session.tools.choose({ ...fromValue(event.currentTarget.value), single: choice.single })
        }
      >
        <option value="unset">{l10n.t('Default (not sent)')}</option>
        <option value="auto">{l10n.t('auto (model decides)')}</option>
        <option value="any">{l10n.t('any (must use a tool)')}</option>
        <option value="none">{l10n.t('none (no tools)')}</option>
        {offered.map((tool) => (
          <option key={tool.id} value={`tool:${tool.id}`}>
            {l10n.t('tool (must use {0})', tool.name)}
          </option>
        ))}
        {isGone && (
          <option value={toValue(choice)}>{l10n.t('tool (must use {0})', l10n.t('an unavailable tool'))}</option>
        )}
      </select>
      <label class="tool-single">
        <input
          type="checkbox"
          checked={choice.single}
          disabled={choice.type === 'none'}
          onChange={(event) => void session.tools.choose({ ...choice, single: event.currentTarget.checked })}
        />
        {l10n.t('One call at a time')}
      </label>
    </div>
  );
}

function toValue({ type, tool }: ToolChoiceForm): string {
  return type === 'tool' ? `tool:${tool}` : type;
}

function fromValue(value: string): Omit<ToolChoiceForm, 'single'> {
  if (value.startsWith('tool:')) return { type: 'tool', tool: value.slice('tool:'.length) };
  return { type: value as Exclude<ToolChoiceForm['type'], 'tool'> };
}

interface EditorProps {
  readonly chat: Chat;
  /** Called when the editor closes. */
  readonly onClosed: () => void;
}

/** Editor of a tool defined by hand, to try one before it exists. */
function OwnToolEditor({ chat, onClosed }: EditorProps) {
  const { session, announcer } = chat;
  const { own } = session.tools;
  const isSaving = useSignal(false);
  const typed = own.typed.value;
  if (!typed) return null;

  const save = async () => {
    const name = typed.form.name.trim();
    isSaving.value = true;
    const isSaved = await own.save();
    isSaving.value = false;
    if (isSaved) announcer.say(l10n.t('Saved {0} and selected it for this conversation.', name));
    if (isSaved) onClosed();
    else
      requestAnimationFrame(() =>
        focusIfActive(document.querySelector<HTMLElement>('.tool-form [aria-invalid="true"]')),
      );
  };
  const remove = async () => {
    if (!(await own.remove())) return;
    announcer.say(l10n.t('Deleted {0}.', typed.replaces ?? ''));
    onClosed();
  };
  const giveUp = () => {
    own.giveUp();
    onClosed();
  };
  return (
    <div class="tool-form">
      <p class="tools-detail">{l10n.t('You enter the result of each call.')}</p>
      <Field chat={chat} field="name" label={l10n.t('Name')} hint={l10n.t('Letters, digits, _ and -')} />
      <Field
        chat={chat}
        field="description"
        label={l10n.t('Description')}
        hint={l10n.t('Tells the model when to use the tool.')}
      />
      <Field
        chat={chat}
        field="schema"
        label={l10n.t('Input schema')}
        hint={l10n.t('A JSON schema with "type": "object".')}
      />
      <div class="tool-form-buttons">
        <vscode-button appearance="primary" disabled={isSaving.value} onClick={() => void save()}>
          {l10n.t('Save')}
        </vscode-button>
        <vscode-button appearance="secondary" onClick={giveUp}>
          {l10n.t('Cancel')}
        </vscode-button>
        {typed.replaces !== undefined && (
          <button type="button" class="link tool-delete" onClick={() => void remove()}>
            {l10n.t('Delete Tool')}
          </button>
        )}
      </div>
    </div>
  );
}

interface FieldProps {
  readonly chat: Chat;
  readonly field: keyof OwnToolForm;
  readonly label: string;
  readonly hint: string;
}

function Field({ chat, field, label, hint }: FieldProps) {
  const { own } = chat.session.tools;
  const id = useId();
  const issue = own.issues.value.find((found) => found.field === field);
  const shared = {
    id,
    value: own.typed.value?.form[field] ?? '',
    'aria-invalid': issue !== undefined,
    'aria-describedby': `${id}-hint ${id}-issue`,
    onInput: (event: { readonly currentTarget: { readonly value: string } }) =>
      own.type({ [field]: event.currentTarget.value }),
  };
  return (
    <div class="parameter">
      <label class="parameter-label" for={id}>
        {label}
      </label>
      {field === 'name' ? (
        <input class="parameter-input parameter-code tool-name-input" type="text" autocomplete="off" {...shared} />
      ) : (
        <textarea
          class={`parameter-input parameter-text ${field === 'schema' ? 'tool-schema-input' : ''}`}
          rows={field === 'schema' ? 8 : 2}
          spellcheck={field !== 'schema'}
          dir={field === 'schema' ? 'ltr' : 'auto'}
          {...shared}
        />
      )}
      <span class="parameter-hint" id={`${id}-hint`}>
        {hint}
      </span>
      <span class="parameter-note" id={`${id}-issue`} aria-live="polite">
        {issue && <Issue issue={issue} inputId={id} />}
      </span>
    </div>
  );
}

/** An issue of a field, with a link to its position. */
function Issue({ issue, inputId }: { readonly issue: OwnToolIssue; readonly inputId: string }) {
  const { text, line, column, offset } = issue;
  const isPlaced = line !== undefined && column !== undefined;
  const goThere = () => {
    const box = document.getElementById(inputId);
    if (!(box instanceof HTMLTextAreaElement) || offset === undefined) return;
    box.focus();
    box.setSelectionRange(offset, Math.min(offset + 1, box.value.length));
  };
  return (
    <span class="parameter-issue">
      <Icon name="error" />{' '}
      {isPlaced ? l10n.t('Line {0}, column {1}: {2}', pageNumber(line), pageNumber(column), text) : text}{' '}
      {offset !== undefined && (
        <button type="button" class="link" onClick={goThere}>
          {l10n.t('Go to Error')}
        </button>
      )}
    </span>
  );
}

interface GroupProps {
  readonly chat: Chat;
  readonly group: ToolGroup;
  /** Whether a search found the group, which is then expanded. */
  readonly isFound: boolean;
  readonly onEdit: () => void;
}

const icons: Readonly<Record<ToolGroup['kind'], IconName>> = {
  own: 'account',
  desk: 'tools',
  editor: 'vscode',
  extension: 'extensions',
  mcp: 'mcp',
  gone: 'warning',
};

/** The tools of one source, with a check box for all of them. */
function ToolGroupList({ chat, group, isFound, onEdit }: GroupProps) {
  const { session } = chat;
  const id = useId();
  const { tools, label, kind } = group;
  const offered = offeredOf(tools);
  const count = tools.filter((tool) => tool.offered).length;
  const offerAll = () =>
    session.tools.offer(
      tools.map((tool) => tool.id),
      offered !== 'all',
    );
  const rows = (
    <ul class="tool-rows">
      {tools.map((tool) => (
        <Tool key={tool.id} chat={chat} tool={tool} isOwn={kind === 'own'} onEdit={onEdit} />
      ))}
    </ul>
  );
  return (
    <div class="tool-group" role="group" aria-labelledby={id}>
      <label class="tool-group-head">
        <input
          type="checkbox"
          checked={offered === 'all'}
          indeterminate={offered === 'some'}
          onChange={() => void offerAll()}
        />
        <Icon name={icons[kind]} />
        <span class="tool-group-label" id={id}>
          {label}
        </span>
        <span class="tool-group-count">{l10n.t('{0} of {1}', pageNumber(count), pageNumber(tools.length))}</span>
      </label>
      {kind === 'editor' ? (
        <details class="tool-fold" open={isFound}>
          <summary class="folded-label">
            <Icon name="chevron-right" />
            {l10n.t('Show Tools')}
            <span class="spoken">: {label}</span>
          </summary>
          {rows}
        </details>
      ) : (
        rows
      )}
    </div>
  );
}

interface ShownTool {
  readonly chat: Chat;
  readonly tool: ToolRow;
}

interface ToolProps extends ShownTool {
  readonly isOwn: boolean;
  readonly onEdit: () => void;
}

function Tool({ chat, tool, isOwn, onEdit }: ToolProps) {
  const { session } = chat;
  const id = useId();
  const { name, label, description, schema } = tool;
  const edit = () => {
    session.tools.own.edit(tool);
    onEdit();
  };
  return (
    <li class="tool" data-tool={tool.id}>
      <div class="tool-head">
        <label class="tool-label">
          <input
            type="checkbox"
            checked={tool.offered}
            aria-describedby={`${id}-about`}
            onChange={(event) => void session.tools.offer([tool.id], event.currentTarget.checked)}
          />
          <span class="tool-names">
            <bdi>{label}</bdi>
            {label !== name && <bdi class="tool-name">{name}</bdi>}
          </span>
        </label>
        {isOwn && <IconButton icon="edit" label={l10n.t('Edit {0}', label)} onClick={edit} />}
      </div>
      {description && (
        <p class="tool-about few-lines" id={`${id}-about`} dir="auto" title={description}>
          {description}
        </p>
      )}
      {tool.allowedAlways && <Allowed chat={chat} tool={tool} />}
      {schema === '' ? (
        <p class="tool-nothing">{l10n.t('No input')}</p>
      ) : (
        <details class="tool-details">
          <summary class="folded-label">
            <Icon name="chevron-right" />
            {l10n.t('Input schema')}
            <span class="spoken">{label}</span>
          </summary>
          <pre class="tool-schema" tabIndex={0} role="region" aria-label={labelled(l10n.t('Input schema'), label)}>
            {prettyJson(schema)}
          </pre>
        </details>
      )}
    </li>
  );
}

/** Says that the tool runs without asking, with a button to revoke that. The check box then gets the focus, as the button disappears. */
function Allowed({ chat: { session, announcer }, tool }: ShownTool) {
  const forbid = async (button: HTMLElement) => {
    const box = button.closest('.tool')?.querySelector<HTMLElement>('input');
    if (!(await session.tools.forbid(tool.id))) return;
    announcer.say(l10n.t('{0} will ask before running.', tool.label));
    focusIfActive(box);
  };
  return (
    <p class="tool-allowed">
      <Icon name="pass" /> {l10n.t('Runs without asking in this conversation.')}{' '}
      <button type="button" class="link" onClick={(event) => void forbid(event.currentTarget)}>
        {l10n.t('Require Approval')}
        <span class="spoken">: {tool.label}</span>
      </button>
    </p>
  );
}
