import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { fill } from '../../../components/fill';
import { Icon } from '../../../components/icon';
import type { Chat } from '../chatContext';
import { OwnToolEditor } from './ownToolEditor';
import { ToolChoice } from './toolChoice';
import { ToolGroupList } from './toolList';
import { matchingGroups } from './toolRows';
import './tools.css';

/** The tools the model may call, or the editor of the tool being written. */
export function ToolsPanel({ chat }: { readonly chat: Chat }) {
  const { session } = chat;
  const root = useRef<HTMLDivElement>(null);
  const { own } = session.tools;
  /** Moves the focus to the next logical control, because the focused one disappears. */
  const refocus = (selector: string) =>
    requestAnimationFrame(() => root.current?.querySelector<HTMLElement>(selector)?.focus());
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
function Notices({ chat: { session, strings } }: { readonly chat: Chat }) {
  const { notRun, notTaken } = session.tools.state.value ?? {};
  const trouble = session.trouble.value;
  const notices = [notRun, notTaken, trouble && [trouble.title, trouble.detail].filter(Boolean).join('. ')];
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
          {strings.sendAgain}
        </button>
      )}
    </div>
  );
}

function ToolsList({ chat, onEdit }: { readonly chat: Chat; readonly onEdit: () => void }) {
  const { session, strings } = chat;
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
      <p class="tools-detail">{strings.toolsDetail}</p>
      <div class="tools-bar">
        <input
          class="parameter-input tools-search"
          type="text"
          dir="auto"
          autocomplete="off"
          aria-label={strings.searchTools}
          placeholder={strings.searchTools}
          value={query.value}
          onInput={(event) => (query.value = event.currentTarget.value)}
        />
        <button type="button" class="link tools-new" onClick={begin}>
          {strings.newTool}
        </button>
      </div>
      <div class="tools-groups" role="group" aria-label={strings.tools}>
        {shown.map((group) => (
          <ToolGroupList key={group.id} chat={chat} group={group} isFound={query.value.trim() !== ''} onEdit={onEdit} />
        ))}
        {shown.length === 0 && <p class="tools-empty">{emptyWords(chat, groups.length > 0)}</p>}
      </div>
      <div class="tools-foot">
        <ToolChoice chat={chat} />
        {offered > 0 && (
          <p class={offered > limit ? 'tools-chosen tools-over' : 'tools-chosen'}>
            {fill(strings.toolsOfLimit, offered, limit)}
          </p>
        )}
      </div>
    </>
  );
}

function emptyWords({ session, strings }: Chat, hasTools: boolean): string {
  if (hasTools) return strings.noToolMatches;
  return session.tools.state.value ? strings.noTools : strings.toolsLoading;
}
