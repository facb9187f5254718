import * as l10n from '@vscode/l10n';
import { pageNumber } from '../../../components/pageLanguage';
import type { BarAction } from '../../../components/actionBar';
import { BarPanel } from '../../../components/barPanel';
import type { Chat } from '../chatContext';
import { ToolsPanel } from './toolsPanel';

const panelId = 'tools-panel';

/** The bar action that shows how many tools are offered to the model, and opens their panel. */
export function toolsAction({ session }: Chat): BarAction {
  const { open, state } = session.tools;
  const { offered = 0, notTaken } = state.value ?? {};
  return {
    id: 'tools',
    icon: 'tools',
    label: l10n.t('Tools'),
    ...(offered > 0 && { text: l10n.t('{0} selected', pageNumber(offered)), count: pageNumber(offered) }),
    ...(offered > 0 && notTaken !== undefined && { warning: notTaken }),
    room: 'some',
    panel: { id: panelId, open },
    run: () => (open.value = !open.peek()),
  };
}

/** The tools panel, while it is open. */
export function ToolsPopup({ chat }: { readonly chat: Chat }) {
  const { session } = chat;
  const { open, own } = session.tools;
  return (
    <BarPanel
      action="tools"
      id={panelId}
      open={open}
      title={ownTitle(chat) ?? l10n.t('Conversation tools')}
      closeLabel={l10n.t('Close (Escape)')}
      focus={own.typed.value ? '.tool-name-input' : '.tools-search'}
    >
      <ToolsPanel chat={chat} />
    </BarPanel>
  );
}

function ownTitle({ session }: Chat): string | undefined {
  const typed = session.tools.own.typed.value;
  if (!typed) return undefined;
  return typed.replaces === undefined ? l10n.t('New tool') : l10n.t('Tool {0}', typed.replaces);
}
