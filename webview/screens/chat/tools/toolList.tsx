import * as l10n from '@vscode/l10n';
import { pageNumber } from '../../../components/pageLanguage';
import { useId } from 'preact/hooks';
import type { ToolGroup, ToolRow } from '../../../../src/protocol/chatTools';
import { Icon } from '../../../components/icon';
import { IconButton } from '../../../components/iconButton';
import type { IconName } from '../../../components/iconNames';
import type { Chat } from '../chatContext';
import { offeredOf, prettyJson } from './toolRows';
import { labelled } from '../../../../src/protocol/sentences';
import { focusIfActive } from '../../../components/focus';

interface GroupProps {
  readonly chat: Chat;
  readonly group: ToolGroup;
  /** Whether a search found the group; it is then expanded. */
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
export function ToolGroupList({ chat, group, isFound, onEdit }: GroupProps) {
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

interface ToolProps {
  readonly chat: Chat;
  readonly tool: ToolRow;
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
function Allowed({ chat: { session, announcer }, tool }: Pick<ToolProps, 'chat' | 'tool'>) {
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
