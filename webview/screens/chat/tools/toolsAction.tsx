import type { BarAction } from '../../../components/actionBar';
import { BarPanel } from '../../../components/barPanel';
import { fill } from '../../../components/fill';
import type { Chat } from '../chatContext';
import { ToolsPanel } from './toolsPanel';

const panelId = 'tools-panel';

/** The bar action that shows how many tools are offered to the model, and opens their panel. */
export function toolsAction({ session, strings }: Chat): BarAction {
  const { open, state } = session.tools;
  const { offered = 0, notTaken } = state.value ?? {};
  return {
    id: 'tools',
    icon: 'tools',
    label: strings.tools,
    ...(offered > 0 && { text: fill(strings.toolsOffered, offered) }),
    ...(offered > 0 && notTaken !== undefined && { warning: notTaken }),
    room: 'some',
    panel: { id: panelId, open },
    run: () => (open.value = !open.peek()),
  };
}

/** The tools panel, while it is open. */
export function ToolsPopup({ chat }: { readonly chat: Chat }) {
  const { session, strings } = chat;
  const { open, own } = session.tools;
  return (
    <BarPanel
      action="tools"
      id={panelId}
      open={open}
      title={ownTitle(chat) ?? strings.toolsTitle}
      closeLabel={strings.closeTools}
      focus={own.typed.value ? '.tool-name-input' : '.tools-search'}
    >
      <ToolsPanel chat={chat} />
    </BarPanel>
  );
}

function ownTitle({ session, strings }: Chat): string | undefined {
  const typed = session.tools.own.typed.value;
  if (!typed) return undefined;
  return typed.replaces === undefined ? strings.newToolTitle : fill(strings.editToolTitle, typed.replaces);
}
