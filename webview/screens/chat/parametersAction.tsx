import * as l10n from '@vscode/l10n';
import { pageNumber } from '../../components/pageLanguage';
import type { BarAction } from '../../components/actionBar';
import { BarPanel } from '../../components/barPanel';
import type { Chat } from './chatContext';
import { ParametersPanel } from './parametersPanel';

const panelId = 'parameters-panel';

/** The bar action that shows how many parameters are set, and opens their panel. */
export function parametersAction({ session }: Chat): BarAction {
  const { open, state } = session.parameters;
  const { count = 0, issues = {} } = state.value ?? {};
  const isWrong = Object.keys(issues).length > 0;
  return {
    id: 'parameters',
    icon: 'settings-gear',
    label: l10n.t('Parameters'),
    ...(count > 0 && { text: l10n.t('{0} set', pageNumber(count)) }),
    ...(isWrong && { warning: l10n.t('A parameter has a value that is not sent.') }),
    room: 'some',
    panel: { id: panelId, open },
    run: () => (open.value = !open.peek()),
  };
}

/** The parameters panel, while it is open. */
export function ParametersPopup({ chat }: { readonly chat: Chat }) {
  const { session } = chat;
  const { open, state } = session.parameters;
  if (!state.value) return null;
  return (
    <BarPanel
      action="parameters"
      id={panelId}
      open={open}
      title={l10n.t('Parameters of this conversation')}
      closeLabel={l10n.t('Close (Escape)')}
      focus="textarea"
    >
      <ParametersPanel chat={chat} />
    </BarPanel>
  );
}
