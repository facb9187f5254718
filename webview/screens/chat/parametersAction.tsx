import type { BarAction } from '../../components/actionBar';
import { BarPanel } from '../../components/barPanel';
import { fill } from '../../components/fill';
import type { Chat } from './chatContext';
import { ParametersPanel } from './parametersPanel';

const panelId = 'parameters-panel';

/** The bar action that shows how many parameters are set, and opens their panel. */
export function parametersAction({ session, strings }: Chat): BarAction {
  const { open, state } = session.parameters;
  const { count = 0, issues = {} } = state.value ?? {};
  const isWrong = Object.keys(issues).length > 0;
  return {
    id: 'parameters',
    icon: 'settings-gear',
    label: strings.parameters,
    ...(count > 0 && { text: fill(strings.parametersSet, count) }),
    ...(isWrong && { warning: strings.parametersWrong }),
    room: 'some',
    panel: { id: panelId, open },
    run: () => (open.value = !open.peek()),
  };
}

/** The parameters panel, while it is open. */
export function ParametersPopup({ chat }: { readonly chat: Chat }) {
  const { session, strings } = chat;
  const { open, state } = session.parameters;
  if (!state.value) return null;
  return (
    <BarPanel
      action="parameters"
      id={panelId}
      open={open}
      title={strings.parametersTitle}
      closeLabel={strings.closeParameters}
      focus="textarea"
    >
      <ParametersPanel chat={chat} />
    </BarPanel>
  );
}
